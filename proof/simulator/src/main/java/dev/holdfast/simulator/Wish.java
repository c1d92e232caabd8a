package dev.holdfast.simulator;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockMode;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A turn's wish for a lock.
 *
 * @param extended whether the lease extends itself
 * @param maxHoldMillis the longest hold, {@link #NO_END} for none
 * @param handedOn whether leases are handed over within the client
 * @param lingerMillis how long a released lease is kept for the client's next turn
 */
record Wish(long ttlMillis, boolean extended, long maxHoldMillis, boolean handedOn, long lingerMillis) {

    static final long NO_END = Long.MAX_VALUE / 1_000;

    /** Returns a wish for a turn with its own lease. */
    static Wish alone(Schedule schedule) {
        long ttl = schedule.anyTtlMillis();
        boolean extended =
                schedule.isCalm() || schedule.chance(schedule.scenario().load().extended());
        boolean moves = schedule.scenario().load().kind()
                == Scenario.Kind.MOVING; // no client then knows since when the lease is held
        long maxHold = !moves && schedule.chance(0.1) ? maxHold(schedule, ttl) : NO_END;
        return new Wish(ttl, extended, maxHold, false, 0);
    }

    /** Returns the wish of turns that share their leases. */
    static Wish shared(Schedule schedule, long lingerMillis) {
        long ttl = schedule.anyTtlMillis();
        return new Wish(ttl, true, schedule.chance(0.2) ? maxHold(schedule, ttl) : NO_END, true, lingerMillis);
    }

    private static long maxHold(Schedule schedule, long ttlMillis) {
        SplittableRandom random = schedule.random();
        return 50 + random.nextLong(2 * ttlMillis);
    }

    /** Returns whether other turns of the client may have the same lease. */
    boolean shares(LockMode mode) {
        return handedOn && extended && mode == LockMode.EX;
    }

    DistributedLock of(DistributedLock lock, long ttlOfLockMillis) {
        DistributedLock wanted = lock.ttl(Duration.ofMillis(ttlOfLockMillis))
                .autoExtend(extended)
                .localHandOver(handedOn)
                .linger(Duration.ofMillis(lingerMillis));
        return maxHoldMillis == NO_END ? wanted : wanted.maxHold(Duration.ofMillis(maxHoldMillis));
    }
}
