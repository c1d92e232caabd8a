package dev.holdfast.internal.lease;

/**
 * How a lease is kept.
 *
 * @param autoExtend whether it is renewed by itself
 * @param maxHoldNanos the longest time that one holder may have it, {@link Long#MAX_VALUE} for no end
 * @param handsOn whether it is handed on between those of this client that want it
 * @param lingerNanos how long it is kept after its release for whoever of this client wants it next, 0 not at all
 */
public record LeaseSettings(boolean autoExtend, long maxHoldNanos, boolean handsOn, long lingerNanos) {

    /** How many times a lease is handed on while another client waits for it. */
    public static final int MOST_HAND_OVERS = 16;

    /** Renewed, without end, handed on, and given back at once. */
    public static final LeaseSettings DEFAULTS = new LeaseSettings(true, Long.MAX_VALUE, true, 0);

    public LeaseSettings withAutoExtend(boolean changed) {
        return new LeaseSettings(changed, maxHoldNanos, handsOn, lingerNanos);
    }

    public LeaseSettings withMaxHoldNanos(long changed) {
        return new LeaseSettings(autoExtend, changed, handsOn, lingerNanos);
    }

    public LeaseSettings withHandsOn(boolean changed) {
        return new LeaseSettings(autoExtend, maxHoldNanos, changed, lingerNanos);
    }

    public LeaseSettings withLingerNanos(long changed) {
        return new LeaseSettings(autoExtend, maxHoldNanos, handsOn, changed);
    }
}
