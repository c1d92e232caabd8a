package dev.holdfast.internal.lease;

import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.DistributedLock;
import java.time.Duration;

/** Checks the durations that callers give for leases, and converts them to milliseconds. */
public final class LeaseLimits {

    private static final Duration LONGEST_RETENTION = Duration.ofDays(365);

    private LeaseLimits() {}

    /** Checks the retention of a seal, and returns it in milliseconds, rounded up. */
    public static long requireRetention(Duration retention) {
        Durations.requireBetween("retention", retention, Duration.ofMillis(1), LONGEST_RETENTION);
        return retention.plusNanos(999_999).toMillis();
    }

    /** Checks a ttl, and returns it in milliseconds. Rejects fractions of a millisecond instead of rounding them. */
    public static long requireTtl(String what, Duration ttl) {
        Durations.requireTtl(what, ttl, DistributedLock.MIN_TTL, DistributedLock.MAX_TTL);
        return ttl.toMillis();
    }

    /** Checks the minimum time for which a lease is to be held, and returns it in milliseconds, rounded up. */
    public static long requireHeld(String what, Duration held) {
        Durations.requireBetween(what, held, Duration.ZERO, DistributedLock.MAX_TTL);
        return held.plusNanos(999_999).toMillis();
    }
}
