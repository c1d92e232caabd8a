package dev.holdfast.cdi.reader;

import dev.holdfast.cdi.LockedMethodException;
import java.util.stream.Collectors;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.DotName;
import org.jboss.jandex.MethodInfo;

/** The texts of problems with annotated methods. */
final class Problem {

    private Problem() {}

    /** Returns the annotation and the method, in the format {@code @Locked method Orders.ship(Order, Lease)}. */
    static String subject(AnnotationInstance annotation, MethodInfo method) {
        return "@" + annotation.name().withoutPackagePrefix() + " method "
                + method.declaringClass().name().withoutPackagePrefix() + "." + method.name()
                + method.parameterTypes().stream()
                        .map(type -> DotName.createSimple(TypeTree.nameOf(type)).withoutPackagePrefix())
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    static LockedMethodException of(String subject, String what, String remedy) {
        return new LockedMethodException(subject, what, remedy, null);
    }
}
