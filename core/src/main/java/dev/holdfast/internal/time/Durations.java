package dev.holdfast.internal.time;

import java.time.Duration;
import java.util.Objects;

/** Checks and conversions of the durations that users give. */
public final class Durations {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final Duration LONGEST_IN_NANOS = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    /** Throws an exception that names the value unless it is within the range. */
    public static void requireBetween(String what, Duration value, Duration least, Duration most) {
        Objects.requireNonNull(value, what);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            String range = most.compareTo(LONGEST_IN_NANOS) >= 0
                    ? text(least) + " or more"
                    : "from " + text(least) + " to " + text(most);
            throw new IllegalArgumentException(what + " is " + text(value) + ", but must be " + range);
        }
    }

    /** Throws an exception that names the value if it is negative. */
    public static void requireNotNegative(String what, Duration value) {
        Objects.requireNonNull(value, what);
        if (value.isNegative()) {
            throw new IllegalArgumentException(what + " is " + text(value) + ", but must be 0 or more");
        }
    }

    /** Nanoseconds; what does not fit (292 years) is the largest number, which stands for "for ever". */
    public static long saturatedNanos(Duration value) {
        return value.compareTo(LONGEST_IN_NANOS) >= 0
                ? Long.MAX_VALUE
                : value.toNanos(); // an exception would take ten times an acquire
    }

    /** For people: {@code 250 ms}, {@code 4.2 s}, {@code 90 s}; exact where it can be. */
    public static String text(Duration value) {
        if (value.compareTo(Duration.ofDays(36_500)) > 0 || value.compareTo(Duration.ofDays(-36_500)) < 0) {
            return value.toString();
        }
        long nanos = value.toNanos();
        if (nanos % NANOS_PER_MILLI != 0) {
            return value.toString();
        }
        long millis = nanos / NANOS_PER_MILLI;
        if (Math.abs(millis) < 1000) {
            return millis + " ms";
        }
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis / 1000.0 + " s";
    }
}
