package dev.holdfast.internal.lease;

import dev.holdfast.internal.time.Trust;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Adaptive spinning before a thread sleeps. The thread yields a few times, as long as that has paid off recently, because waking up takes longer than many
 * answers (docs/decisions/0022). All threads of a client that wait for the same kind of event share one instance. Thread-safe.
 *
 * <p>A spin is limited by a number of yields, not by time. A yield that lets other threads run costs one context switch, however long they run; a yield without
 * other threads ends at once. So a spin never costs more than a sleep and a wake-up.
 */
final class AdaptiveSpin {

    /** A hand-over within this time after the last one makes waiting threads spin: waking up would take most of the time. */
    static final long QUICK_HAND_OVER_NANOS = 20_000;

    /** The yields of a thread that spins alone. */
    static final int MAX_YIELDS = 32;

    /** The least number of yields of a thread, however many other threads spin. */
    static final int MIN_YIELDS = 2;

    /** The yields shared by all threads that spin for nodes at the same time: a yield of one thread lets all other threads yield. */
    static final int SHARED_YIELDS = 128;

    private final Trust trust;
    private final Runnable yielding;
    private final int sharedYields;
    private final AtomicInteger spinning = new AtomicInteger();

    AdaptiveSpin(Trust trust, Runnable yielding, int sharedYields) {
        this.trust = trust;
        this.yielding = yielding;
        this.sharedYields = sharedYields;
    }

    /** Creates the spin of threads that wait for the nodes. */
    static AdaptiveSpin forNodes() {
        return new AdaptiveSpin(new Trust(), AdaptiveSpin::yieldThread, SHARED_YIELDS);
    }

    /**
     * Creates the spin of threads in a queue that moves quickly. The other threads in the queue bring about the awaited event, so each thread has all its
     * yields.
     */
    static AdaptiveSpin forQueues() {
        return new AdaptiveSpin(new Trust(), AdaptiveSpin::yieldThread, Integer.MAX_VALUE);
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on whether and when another thread runs
    private static void yieldThread() {
        Thread.yield();
    }

    /** Spins until the future is complete, the thread is interrupted, or the thread should sleep. Does nothing without a spin. */
    static void spinBy(@Nullable AdaptiveSpin spin, CompletableFuture<?> future) {
        if (spin != null) {
            spin.spin(future);
        }
    }

    void spin(CompletableFuture<?> future) {
        if (future.isDone() || !trust.isWorthIt()) {
            return;
        }
        int yields = yields(spinning.incrementAndGet());
        while (yields > 0 && !future.isDone() && !Thread.currentThread().isInterrupted()) {
            yielding.run();
            yields--;
        }
        spinning.decrementAndGet();
        if (future.isDone()) {
            trust.paid();
        } else {
            trust.failed();
        }
    }

    /** Returns the number of yields of each thread when this many threads spin. */
    int yields(int threads) {
        return Math.max(Math.min(sharedYields / threads, MAX_YIELDS), MIN_YIELDS);
    }
}
