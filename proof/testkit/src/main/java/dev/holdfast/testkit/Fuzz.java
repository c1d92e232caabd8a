package dev.holdfast.testkit;

import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A fuzzer that checks a property with random and mutated inputs, each from a seed of its own. A failure prints the
 * command that repeats it.
 *
 * <p>{@code -Dholdfast.fuzz.factor=20} multiplies the number of inputs, {@code -Dholdfast.fuzz.seed=n} starts at
 * another seed, and {@code -Dholdfast.fuzz.only=n} tries only that seed.
 */
public final class Fuzz {

    private static final long ONLY = Long.getLong("holdfast.fuzz.only", -1);
    private static final long FIRST_SEED = Long.getLong("holdfast.fuzz.seed", 1);
    private static final int FACTOR = Integer.getInteger("holdfast.fuzz.factor", 1);

    /** An input that takes longer counts as one that hangs. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private Fuzz() {}

    /**
     * Checks the property with this many inputs.
     *
     * @param test the test method as Maven names it, such as {@code NamesFuzzTest#names}
     * @param property throws anything if it does not hold
     */
    public static void check(String test, int inputs, Consumer<FuzzedInput> property) {
        Timing timing = Timing.system("fuzz");
        try {
            if (ONLY >= 0) {
                check(test, timing, ONLY, property);
                return;
            }
            for (long seed = FIRST_SEED; seed < FIRST_SEED + (long) inputs * FACTOR; seed++) {
                check(test, timing, seed, property);
            }
        } finally {
            timing.scheduler().close();
        }
    }

    private static void check(String test, Timing timing, long seed, Consumer<FuzzedInput> property) {
        String repeat = "repeat it with -Dtest=" + test + " -Dtest.jvm.args='-Xmx1g -Dholdfast.fuzz.only=" + seed + "'";
        long began = timing.ticker().nanos();
        Timer alarm =
                timing.scheduler().schedule(LONGEST.toNanos(), () -> System.err.println("This input hangs; " + repeat));
        FuzzedInput input = new FuzzedInput(seed);
        try {
            property.accept(input);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(e + "\n" + repeat + "\ninput: " + input.shown(), e);
        } finally {
            alarm.cancel();
        }
        if (timing.ticker().nanos() - began > LONGEST.toNanos()) {
            throw new AssertionError("took longer than " + LONGEST + "\n" + repeat + "\ninput: " + input.shown());
        }
    }
}
