package dev.holdfast.internal.lease;

import dev.holdfast.time.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A short spin for threads that queue for a lease that is handed over within microseconds: waking a thread takes longer than one holder's turn
 * (docs/decisions/0050). Spins that do not pay off in two of three cases pause the spins of all threads of the client. Thread-safe.
 */
final class HandOverSpin {

    /** A hand-over within this time after the last one makes waiting threads spin. */
    static final long QUICK_NANOS = 20_000;

    /** The number of yields in one spin. In the meantime, other threads of the queue run and take their turns. */
    static final int YIELDS = 32;

    /** The number of waits without a spin after spins have not paid off. */
    static final int PAUSE = 32;

    /** The largest credit of the spins. A spin that ends with the lease adds 1, and a spin without success subtracts 2. Without credit, spins pause. */
    static final int MOST_CREDIT = 8;

    /** The number of waits without a spin after a spin that took too long: other work needs the processors, and each yield gives it a time slice. */
    static final int LONG_PAUSE = 8_192;

    private static final long TOO_LONG_NANOS = 2_000_000;

    private final Ticker ticker;
    private final Runnable yielding;
    private final AtomicInteger paused = new AtomicInteger();
    private final AtomicInteger credit = new AtomicInteger();

    HandOverSpin(Ticker ticker) {
        this(ticker, HandOverSpin::yieldThread);
    }

    HandOverSpin(Ticker ticker, Runnable yielding) {
        this.ticker = ticker;
        this.yielding = yielding;
    }

    @SuppressWarnings("ThreadPriorityCheck") // correctness does not depend on when other threads run
    private static void yieldThread() {
        Thread.yield();
    }

    /** Spins until the future is complete, the thread is interrupted, or the thread should sleep. */
    void spin(CompletableFuture<?> future) {
        if (future.isDone() || (paused.get() > 0 && paused.decrementAndGet() > 0)) {
            return;
        }
        long began = ticker.nanos();
        for (int i = 0;
                i < YIELDS && !future.isDone() && !Thread.currentThread().isInterrupted();
                i++) {
            yielding.run();
        }
        boolean paid = future.isDone();
        int left = credit.updateAndGet(before -> paid ? Math.min(before + 1, MOST_CREDIT) : Math.max(before - 2, 0));
        if (ticker.nanos() - began > TOO_LONG_NANOS) {
            paused.set(LONG_PAUSE);
        } else if (left == 0) {
            paused.set(PAUSE);
        }
    }
}
