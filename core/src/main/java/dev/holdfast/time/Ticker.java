package dev.holdfast.time;

/**
 * The two clocks of a machine. Implementations are thread-safe.
 *
 * <p>Holdfast measures with both clocks, since each fails in its own way. The monotonic clock may stand still while a machine is suspended, and an
 * operator may set the wall clock. {@link Moment} describes how Holdfast combines them (PROTOCOL §4).
 */
public interface Ticker {

    /** Returns the ticker of this machine. */
    static Ticker system() {
        return new Ticker() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }
        };
    }

    /** Returns the monotonic clock in nanoseconds from an arbitrary origin. Only differences are meaningful, and the value may wrap around. */
    long nanos();

    /** Returns the wall clock in milliseconds since 1970-01-01T00:00Z. An operator may set it forward or back at any time. */
    long wallMillis();

    /** Returns a reading of both clocks. */
    default Moment now() {
        return new Moment(nanos(), wallMillis());
    }
}
