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

    /** From now until it is closed. */
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

    /** Throws a {@link LeaseLostException} if the thread was interrupted for one. */
    public synchronized void throwIfLost() {
        if (loss != null) {
            throw new LeaseLostException(loss.toString());
        }
    }

    /** An interrupt that came of the loss is told as the loss; all else is the task's own, and left to it. */
    public synchronized void throwIfCauseOf(Exception thrown) {
        if (loss != null && thrown instanceof InterruptedException) {
            LeaseLostException lost = new LeaseLostException(loss.toString());
            lost.addSuppressed(thrown);
            throw lost;
        }
    }

    /** The work has ended: an interrupt of ours that it did not notice is taken back. */
    @Override
    public synchronized void close() {
        working = false;
        if (loss != null) {
            Thread.interrupted();
        }
    }
}
