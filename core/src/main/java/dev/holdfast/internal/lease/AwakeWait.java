package dev.holdfast.internal.lease;

import dev.holdfast.internal.time.Trust;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps threads that are about to wait awake for a moment, in which they let others run, as long as that pays: to be woken takes longer than many an answer
 * (docs/decisions/0022). One for all threads of a client that wait for the same kind of thing.
 *
 * <p>The moment is counted in looks, not in time. A look that lets others run costs nothing but the change of threads, however long they run; one that finds
 * nobody else who wants the processor is over at once. So the moment never costs more than going to sleep and being woken would.
 */
final class AwakeWait {

    /** How often a thread looks before it sleeps, when it is alone. */
    static final int MOST_LOOKS = 32;

    /** How often it looks however many others do. */
    static final int LEAST_LOOKS = 2;

    /** What all who are awake at the same time share that wait for the nodes: for each look of one, all others had theirs. */
    static final int LOOKS_OF_ALL = 128;

    private final Trust trust;
    private final Runnable letOthersRun;
    private final int looksOfAll;
    private final AtomicInteger awake = new AtomicInteger();

    /** Lets others run by this. */
    AwakeWait(Trust trust, Runnable letOthersRun, int looksOfAll) {
        this.trust = trust;
        this.letOthersRun = letOthersRun;
        this.looksOfAll = looksOfAll;
    }

    /** For who waits for the nodes. */
    static AwakeWait forNodes() {
        return new AwakeWait(new Trust(), AwakeWait::letThreadsRun, LOOKS_OF_ALL);
    }

    /** For who waits in a line that moves quickly. What they wait for is done by the others in line, so each has all its looks. */
    static AwakeWait forLines() {
        return new AwakeWait(new Trust(), AwakeWait::letThreadsRun, Integer.MAX_VALUE);
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on whether and when another thread runs
    private static void letThreadsRun() {
        Thread.yield();
    }

    /** Returns when the future is there, when the thread is interrupted, or when it is time to sleep. */
    void forAMoment(CompletableFuture<?> future) {
        if (future.isDone() || !trust.isWorthIt()) {
            return;
        }
        int looks = looks(awake.incrementAndGet());
        while (looks > 0 && !future.isDone() && !Thread.currentThread().isInterrupted()) {
            letOthersRun.run();
            looks--;
        }
        awake.decrementAndGet();
        if (future.isDone()) {
            trust.paid();
        } else {
            trust.failed();
        }
    }

    /** For each of so many. */
    int looks(int awake) {
        return Math.max(Math.min(looksOfAll / awake, MOST_LOOKS), LEAST_LOOKS);
    }
}
