package dev.holdfast.internal.lease;

import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.LockOptions;

/**
 * The settings of a lease that only the client needs, so the nodes do not know them.
 *
 * @param autoExtend whether the client extends the lease automatically
 * @param maxHoldNanos the longest time for which one holder may hold the lease, {@link Long#MAX_VALUE} for no limit
 * @param handsOn whether the client hands the lease over between its own waiters
 * @param lingerNanos how long the client keeps a released lease for its own next waiter; 0 to release it at once
 */
public record LeaseSettings(boolean autoExtend, long maxHoldNanos, boolean handsOn, long lingerNanos) {

    /** The largest number of hand-overs of one lease while another client waits for it. */
    public static final int MOST_HAND_OVERS = 16;

    /** The default settings: leases are extended automatically, have no limit, are handed over, and are released at once. */
    public static final LeaseSettings DEFAULTS = new LeaseSettings(true, Long.MAX_VALUE, true, 0);

    /** Returns the part of a lock's options that says how the client keeps its leases. */
    public static LeaseSettings of(LockOptions options) {
        return new LeaseSettings(
                options.autoExtend(),
                Durations.saturatedNanos(options.maxHold()),
                options.localHandOver(),
                options.linger().toNanos());
    }
}
