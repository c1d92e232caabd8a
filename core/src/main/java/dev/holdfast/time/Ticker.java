package dev.holdfast.time;

/**
 * The two clocks of a machine. Thread-safe.
 *
 * <p>Holdfast measures with both, since each fails in its own way: the monotonic clock may stand still while a machine is
 * suspended, the wall clock may be set. See {@link Moment} for how they are combined (PROTOCOL §4).
 */
public interface Ticker {

    /** The machine's own. */
    static Ticker system() {
        return SystemTicker.INSTANCE;
    }

    /** The monotonic clock in nanoseconds, from an arbitrary origin; only differences mean anything, and it may wrap around. */
    long nanos();

    /** The wall clock in milliseconds since 1970-01-01T00:00Z. It may be set forward or back at any time. */
    long wallMillis();

    /** Both clocks, read now. */
    default Moment now() {
        return new Moment(nanos(), wallMillis());
    }
}
