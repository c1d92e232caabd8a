package dev.holdfast.cdi.runtime;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A locked method, as the reader of annotations saw it.
 *
 * @param id the class, the name and the types of the parameters, as {@link #idOf} gives them
 * @param text the annotation and the method, as the beginning of a sentence
 * @param leaseParameter the index of the parameter for the lease, if there is one; Quarkus cannot record an {@link java.util.OptionalInt}
 * @param result the kind of the method's result
 */
public record MethodShape(String id, String text, Optional<Integer> leaseParameter, ResultKind result) {

    static String idOf(Method method) {
        return method.getDeclaringClass().getName() + "#" + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getName)
                        .collect(Collectors.joining(",", "(", ")"));
    }

    @Override
    public String toString() {
        return text;
    }
}
