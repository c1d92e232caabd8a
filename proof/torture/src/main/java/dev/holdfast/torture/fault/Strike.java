package dev.holdfast.torture.fault;

/**
 * One time that a fault was there.
 *
 * @param fault its name
 * @param fromNanos when it began
 * @param toNanos when it was mended
 */
public record Strike(String fault, long fromNanos, long toNanos) {}
