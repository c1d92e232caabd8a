package dev.holdfast.cdi.reader;

import java.util.Set;
import java.util.function.Function;
import org.jboss.jandex.DotName;

/**
 * The properties of a container by which the rules differ.
 *
 * @param name the name, as the subject of a sentence
 * @param interceptsFinal whether the container intercepts methods that are final in the source
 * @param hasUni whether a method may return a {@code Uni}, which holds the lock while it is subscribed to
 * @param beans returns the classes of which the container creates objects, among a class and its subclasses
 */
public record Container(String name, boolean interceptsFinal, boolean hasUni, Function<DotName, Set<DotName>> beans) {}
