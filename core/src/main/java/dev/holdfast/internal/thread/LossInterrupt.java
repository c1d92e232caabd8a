package dev.holdfast.internal.thread;

import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread that works under a lease when the lease is lost, and never after the work has ended. */
public final class LossInterrupt implements AutoCloseable {

    private final Thread thread;
    private boolean working = true;
    private @Nullable Loss loss;

    private LossInterrupt(Thread thread) {
        this.thread = thread;
    }

    /** Interrupts the current thread if the lease is lost before the result is closed. */
    public static LossInterrupt ofCurrentThread(CompletionStage<Loss> lost) {
        LossInterrupt interrupt = new LossInterrupt(Thread.currentThread());
        lost.thenAccept(interrupt::interrupt);
        return interrupt;
    }

    private synchronized void interrupt(Loss event) {
        if (working) {
            loss = event;
            thread.interrupt();
        }
    }

    /** Throws a {@link LeaseLostException} if a loss has interrupted the thread. */
    public synchronized void throwIfLost() {
        if (loss != null) {
            throw new LeaseLostException(loss.toString());
        }
    }

    /** Throws the loss in place of an interrupt that the loss has caused. Other exceptions belong to the task. */
    public synchronized void throwIfCauseOf(Exception thrown) {
        if (loss != null && thrown instanceof InterruptedException) {
            LeaseLostException lost = new LeaseLostException(loss.toString());
            lost.addSuppressed(thrown);
            throw lost;
        }
    }

    /** Ends the work, and clears an interrupt for a loss that the work did not notice. */
    @Override
    public synchronized void close() {
        working = false;
        if (loss != null) {
            Thread.interrupted();
        }
    }
}
