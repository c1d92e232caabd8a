package dev.holdfast.spring;

import dev.holdfast.lock.HoldfastException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A method can't be locked as its annotation says. The message names the method, what is wrong, and what to do. */
public final class LockedMethodException extends HoldfastException {

    private static final long serialVersionUID = 1;

    private final String what;
    private final String remedy;

    /**
     * Says so.
     *
     * @param annotation which one the method has, or its class
     * @param what what is wrong, as the end of a sentence that begins with the method
     * @param remedy what to do, as a sentence
     */
    public LockedMethodException(
            String annotation, Method method, String what, String remedy, @Nullable Throwable cause) {
        super("@" + annotation + " method " + named(method) + " " + what + ". " + remedy);
        this.what = "@" + annotation + " method " + named(method) + " " + what + ".";
        this.remedy = remedy;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** What is wrong. */
    public String what() {
        return what;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }

    /** {@code Orders.ship(Order, Lease)}. */
    private static String named(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
