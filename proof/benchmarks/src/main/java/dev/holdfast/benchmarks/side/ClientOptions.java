package dev.holdfast.benchmarks.side;

/**
 * The options of a client that a scenario may change; all others are the side's own defaults.
 *
 * @param ttlMillis how long a lock outlives a crashed holder, in milliseconds; 0 for the side's default
 */
public record ClientOptions(long ttlMillis) {

    /** The defaults. */
    public static final ClientOptions DEFAULTS = new ClientOptions(0);
}
