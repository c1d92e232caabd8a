package dev.holdfast.cdi;

import dev.holdfast.lock.HoldfastException;
import org.jspecify.annotations.Nullable;

/** Signals that a method cannot be locked as its annotation requires. The message names the method, the problem and a remedy. */
public final class LockedMethodException extends HoldfastException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception about one method.
     *
     * @param method the annotation and the method, in the format {@code @Locked method Orders.ship(Order, Lease)}
     * @param what the problem, as the end of a sentence that begins with the method
     * @param remedy the remedy, as a sentence without its full stop
     */
    public LockedMethodException(String method, String what, String remedy, @Nullable Throwable cause) {
        super(method + " " + what + ". " + remedy + ".");
        if (cause != null) {
            initCause(cause);
        }
    }
}
