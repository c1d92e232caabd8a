package dev.holdfast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;

/**
 * Runs an experiment in one interleaving of its threads after the other, chosen by Lincheck's model checker: every access to memory that
 * threads share is a place to switch at. The same interleavings in every run.
 *
 * <p>{@code -Dholdfast.interleavings=20} tries so many times as many. Each class of such tests needs {@link LincheckAgent}.
 */
public final class Interleavings {

    private static final int FACTOR = Integer.getInteger("holdfast.interleavings", 1);

    /**
     * Work that happens only once in a process, such as to initialize a class, would add steps that the next run lacks. A thread that Lincheck stops
     * meanwhile would block the others forever.
     */
    private static final int WARM_UPS = 12;

    private static final int MOST_RUNS = 4;

    private static final Logger HOLDFAST = Logger.getLogger("dev.holdfast");

    private static int warmUp = -1;

    private Interleavings() {}

    /** Does it in so many interleavings, each with a world of its own; fails with the steps of the first that throws. */
    public static void check(int interleavings, Runnable experiment) {
        Level before = HOLDFAST.getLevel();
        HOLDFAST.setLevel(Level.OFF); // a line in a log is thousands of steps
        try {
            for (warmUp = 0; warmUp < WARM_UPS; warmUp++) {
                experiment.run();
            }
            warmUp = -1;
            run(times(interleavings), experiment);
        } finally {
            warmUp = -1;
            HOLDFAST.setLevel(before);
        }
    }

    /** Returns how many interleavings this build tries in place of the usual number. */
    public static int times(int usual) {
        return usual * FACTOR;
    }

    /**
     * Lincheck reports a run as hung after half a minute, in which it also rewrites classes that are used for the first time. On a busy machine that may take
     * longer, so a run that hung is repeated, with the rewritten classes. The interleavings are the same in every run: one that really hangs hangs again, and
     * the last run fails.
     */
    private static void run(int interleavings, Runnable experiment) {
        for (int runs = 1; ; runs++) {
            try {
                Lincheck.runConcurrentTest(interleavings, experiment);
                return;
            } catch (LincheckAssertionError e) {
                if (runs == MOST_RUNS || !String.valueOf(e.getMessage()).contains("hung")) {
                    throw e;
                }
            }
        }
    }

    /** Does these at the same time, each in a thread of its own, and waits for them. */
    public static void together(Runnable... parts) {
        if (warmUp >= 0) {
            oneAfterTheOther(new ArrayList<>(List.of(parts)));
            return;
        }
        List<Thread> threads = new ArrayList<>();
        for (Runnable part : parts) {
            Thread thread = new Thread(part);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Each of the warm-ups in another order. */
    private static void oneAfterTheOther(List<Runnable> parts) {
        Collections.rotate(parts, warmUp / 2);
        if (warmUp % 2 == 1) {
            Collections.reverse(parts);
        }
        parts.forEach(Runnable::run);
    }

    /** Cheaper than an assertion library, of which every step would be a step of the experiment. */
    public static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
