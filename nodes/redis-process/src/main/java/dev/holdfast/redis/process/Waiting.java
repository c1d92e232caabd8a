package dev.holdfast.redis.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A wait for a condition, with a deadline. Interrupts don't end it early. */
public final class Waiting {

    private static final long SHORTEST_NANOS = 1_000_000;
    private static final long LONGEST_NANOS = 20_000_000;

    private Waiting() {}

    /** Waits until the condition holds; {@code false} if it still doesn't at the deadline. */
    public static boolean until(Duration within, BooleanSupplier condition) {
        long start = System.nanoTime();
        long pause = SHORTEST_NANOS;
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - start >= within.toNanos()) {
                    return false;
                }
                LockSupport.parkNanos(pause);
                interrupted |= Thread.interrupted();
                pause = Math.min(pause * 2, LONGEST_NANOS);
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits as {@link #until} does, but throws an exception at the deadline, with the text of {@code problem}. */
    public static void require(Duration within, Supplier<String> problem, BooleanSupplier condition) {
        if (!until(within, condition)) {
            throw new IllegalStateException(problem.get() + " within " + within.toMillis() + " ms");
        }
    }
}
