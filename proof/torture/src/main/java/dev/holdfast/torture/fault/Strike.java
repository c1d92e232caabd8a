package dev.holdfast.torture.fault;

/**
 * One occurrence of a fault.
 *
 * @param fault the name of the fault
 * @param fromNanos when it began
 * @param toNanos when it was repaired
 */
public record Strike(String fault, long fromNanos, long toNanos) {}
