package dev.holdfast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;

/**
 * Runs an experiment in one interleaving of its threads after the other. Lincheck's model checker chooses them, and may switch threads at every access to
 * shared memory. The interleavings are the same in every run.
 *
 * <p>{@code -Dholdfast.interleavings=20} tries 20 times as many. Each class of such tests needs {@link LincheckAgent}.
 */
public final class Interleavings {

    private static final int FACTOR = Integer.getInteger("holdfast.interleavings", 1);

    /**
     * The number of runs before the first interleaving. Work that happens only once in a process, such as initializing a class, would add steps that the next
     * run lacks. A thread that Lincheck stops during such work would block the others for ever.
     */
    private static final int WARM_UPS = 12;

    private static final int MOST_RUNS = 4;

    private static final Logger HOLDFAST = Logger.getLogger("dev.holdfast");

    private static int warmUp = -1;

    private Interleavings() {}

    /** Runs the experiment in this many interleavings, each with a new world; fails with the steps of the first one that throws an exception. */
    public static void check(int interleavings, Runnable experiment) {
        Level before = HOLDFAST.getLevel();
        HOLDFAST.setLevel(Level.OFF); // one log line takes thousands of steps
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
     *
     * <p>Lincheck 3.7 throws an {@link IndexOutOfBoundsException} of its own while it describes about one failure in 400. Such a run is repeated too. An exception
     * of the experiment always comes as a {@link LincheckAssertionError}.
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
            } catch (IndexOutOfBoundsException e) {
                if (runs == MOST_RUNS) {
                    throw e;
                }
            }
        }
    }

    /** Runs these parts at the same time, each in its own thread, and waits for them. */
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

    /** Runs the parts in a different order in each warm-up. */
    private static void oneAfterTheOther(List<Runnable> parts) {
        Collections.rotate(parts, warmUp / 2);
        if (warmUp % 2 == 1) {
            Collections.reverse(parts);
        }
        parts.forEach(Runnable::run);
    }

    /** Fails unless the condition holds. An assertion library would add its own steps to the experiment. */
    public static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
