package dev.holdfast.internal.time;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Checks and conversions of the durations that users give. */
public final class Durations {

    private static final Duration LONGEST_IN_NANOS = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    /** Throws an exception that names the value unless it is within the range. */
    public static void requireBetween(String what, Duration value, Duration least, Duration most) {
        Objects.requireNonNull(value, what);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            String range = most.compareTo(LONGEST_IN_NANOS) >= 0
                    ? DurationText.exact(least) + " or more"
                    : "from " + DurationText.exact(least) + " to " + DurationText.exact(most);
            throw new IllegalArgumentException(what + " is " + DurationText.exact(value) + ", but must be " + range);
        }
    }

    /** Checks a ttl as {@link #requireBetween} does. Nodes count milliseconds, so a fraction of one is rejected rather than rounded. */
    public static void requireTtl(String what, Duration value, Duration least, Duration most) {
        requireBetween(what, value, least, most);
        if (value.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(
                    what + " is " + DurationText.exact(value) + ", but must be whole milliseconds");
        }
    }

    /** Throws an exception that names the value if it is negative. */
    public static void requireNotNegative(String what, Duration value) {
        Objects.requireNonNull(value, what);
        if (value.isNegative()) {
            throw new IllegalArgumentException(what + " is " + DurationText.exact(value) + ", but must be 0 or more");
        }
    }

    /** Returns the duration of this many milliseconds; null if there is no number. */
    public static @Nullable Duration ofMillis(OptionalLong millis) {
        return millis.isEmpty() ? null : Duration.ofMillis(millis.getAsLong());
    }

    /**
     * Converts a duration to nanoseconds. A duration of more than 292 years does not fit, and becomes the largest number, which stands for "without a
     * limit".
     */
    public static long saturatedNanos(Duration value) {
        return value.compareTo(LONGEST_IN_NANOS) >= 0
                ? Long.MAX_VALUE
                : value.toNanos(); // throwing an exception would take ten times as long as an acquire
    }
}
