package dev.holdfast.internal.thread;

import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs work under one or more leases, and then releases them. A loss interrupts the work, and reaches the caller as an exception. */
public final class Scope {

    private Scope() {}

    /** The work itself. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, E extends Exception> {

        T run() throws E;
    }

    /**
     * Does the work, and releases the leases. If the work throws, the release is left to the caller.
     *
     * @param what the name of what is held, for messages
     * @param lost completes with the loss, if there is one
     * @throws LeaseLostException if a lease was lost while the work ran, unless the work threw another exception; it replaces an {@link InterruptedException}
     *     that the loss caused
     * @throws E what the work throws, unchanged
     */
    public static <T extends @Nullable Object, E extends Exception> T call(
            String what, CompletionStage<Loss> lost, Supplier<ReleaseOutcome> release, Work<T, E> work) throws E {
        try (LossInterrupt interrupt = LossInterrupt.ofCurrentThread(lost)) {
            T result;
            try {
                result = work.run();
            } catch (Exception e) {
                interrupt.throwIfCauseOf(e);
                throw e;
            }
            interrupt.throwIfLost();
            if (release.get()
                    == ReleaseOutcome
                            .EXPIRED) { // after a pause of this process, the client may not have reported the loss yet
                throw new LeaseLostException(what + " ended before the work did");
            }
            return result;
        }
    }
}
