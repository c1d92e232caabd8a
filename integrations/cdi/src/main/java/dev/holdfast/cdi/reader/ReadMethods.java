package dev.holdfast.cdi.reader;

import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.runtime.LockedMethodData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.MethodInfo;

/**
 * The locked methods of an application.
 *
 * @param methods the methods that keep the rules
 * @param problems one problem for each other annotation
 */
public record ReadMethods(List<LockedMethodData> methods, List<LockedMethodException> problems) {

    public ReadMethods {
        methods = List.copyOf(methods);
        problems = List.copyOf(problems);
    }

    /** Reads these annotations, on methods or on classes. */
    public static ReadMethods of(LockedMethodReader reader, Collection<AnnotationInstance> annotations) {
        List<LockedMethodData> methods = new ArrayList<>();
        List<LockedMethodException> problems = new ArrayList<>();
        for (AnnotationInstance annotation : annotations) {
            try {
                if (annotation.target().kind() == AnnotationTarget.Kind.METHOD) {
                    MethodInfo method = annotation.target().asMethod();
                    if (!method.isBridge()) { // the compiler copies the annotations of a method to its bridges
                        methods.add(reader.read(annotation, method));
                    }
                } else {
                    LockedMethodReader.rejectClass(
                            annotation, annotation.target().asClass());
                }
            } catch (LockedMethodException e) {
                problems.add(e);
            }
        }
        return new ReadMethods(methods, problems);
    }
}
