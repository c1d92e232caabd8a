package dev.holdfast.internal.lease;

import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.DistributedLock;
import java.time.Duration;

/** Checks the durations that callers give for leases, and converts them to milliseconds. */
public final class LeaseLimits {

    private static final Duration LONGEST_RETENTION = Duration.ofDays(365);
    private static final Duration LONGEST_LINGER = Duration.ofMinutes(1);

    private LeaseLimits() {}

    /** How long a seal is to last in milliseconds, checked; fractions of a millisecond are rounded up. */
    public static long requireRetention(Duration retention) {
        Durations.requireBetween("retention", retention, Duration.ofMillis(1), LONGEST_RETENTION);
        return retention.plusNanos(999_999).toMillis();
    }

    /** A ttl in milliseconds, checked. Fractions of a millisecond are refused rather than rounded. */
    public static long requireTtl(String what, Duration ttl) {
        Durations.requireBetween(what, ttl, DistributedLock.MIN_TTL, DistributedLock.MAX_TTL);
        if (ttl.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(what + " is " + ttl + ", but must be whole milliseconds");
        }
        return ttl.toMillis();
    }

    /** How long a lease is to be held at least in milliseconds, checked; fractions of a millisecond are rounded up. */
    public static long requireHeld(String what, Duration held) {
        Durations.requireBetween(what, held, Duration.ZERO, DistributedLock.MAX_TTL);
        return held.plusNanos(999_999).toMillis();
    }

    /** Checks how long a lease may be kept after its release. */
    public static void requireLinger(Duration linger) {
        Durations.requireBetween("linger", linger, Duration.ZERO, LONGEST_LINGER);
    }
}
