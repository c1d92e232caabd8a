package dev.holdfast.lease;

/**
 * How a lease is kept.
 *
 * @param autoExtend whether it is renewed by itself
 * @param maxHoldNanos the longest time that it may be held, {@link Long#MAX_VALUE} for no end
 */
public record LeaseSettings(boolean autoExtend, long maxHoldNanos) {}
