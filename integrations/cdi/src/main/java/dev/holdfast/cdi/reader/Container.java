package dev.holdfast.cdi.reader;

import java.util.function.Predicate;
import org.jboss.jandex.DotName;

/**
 * The properties of a container by which the rules differ.
 *
 * @param name the name, as the subject of a sentence
 * @param interceptsFinal whether the container intercepts methods that are final in the source
 * @param hasUni whether a method may return a {@code Uni}, which holds the lock while it is subscribed to
 * @param isBean returns whether the container creates objects of a class, or of a subclass
 */
public record Container(String name, boolean interceptsFinal, boolean hasUni, Predicate<DotName> isBean) {}
