package dev.holdfast.benchmarks.side;

/**
 * What a scenario may change about a client; all else are the side's own defaults.
 *
 * @param ttlMillis how long a lock outlives a crashed holder, in milliseconds; 0 for what the side does by itself
 */
public record ClientOptions(long ttlMillis) {

    /** Nothing changed. */
    public static final ClientOptions DEFAULTS = new ClientOptions(0);
}
