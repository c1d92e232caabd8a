package dev.holdfast.spring;

import dev.holdfast.lock.HoldfastException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Signals that a method cannot be locked as its annotation requires. The message names the method, the problem and a remedy. */
public final class LockedMethodException extends HoldfastException {

    private static final long serialVersionUID = 1;

    private final String what;
    private final String remedy;

    /**
     * Creates an exception about one method.
     *
     * @param annotation the annotation on the method or its class
     * @param what the problem, as the end of a sentence that begins with the method
     * @param remedy the remedy, as a sentence
     */
    public LockedMethodException(
            String annotation, Method method, String what, String remedy, @Nullable Throwable cause) {
        super(subject(annotation, method) + " " + what + ". " + remedy);
        this.what = subject(annotation, method) + " " + what + ".";
        this.remedy = remedy;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** Returns a description of the problem. */
    public String what() {
        return what;
    }

    /** Returns a suggestion for solving the problem. */
    public String remedy() {
        return remedy;
    }

    /** Returns the annotation and the method, in the format {@code @Locked method Orders.ship(Order, Lease)}. */
    public static String subject(String annotation, Method method) {
        return "@" + annotation + " method " + named(method);
    }

    private static String named(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
