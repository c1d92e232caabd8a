package dev.holdfast.time;

/**
 * A reading of both clocks of this machine.
 *
 * <p>The time between two moments is the larger of the times that the two clocks show (PROTOCOL §4). So a suspended machine counts its sleep. A wall
 * clock that is set forward at worst ends a period early, and one that is set back never lengthens a period.
 *
 * @param nanos the monotonic clock in nanoseconds; comparisons use differences, so its wrap-around does no harm
 * @param wallMillis the wall clock in milliseconds since 1970-01-01T00:00Z
 */
public record Moment(long nanos, long wallMillis) {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LONGEST_MILLIS = Long.MAX_VALUE / NANOS_PER_MILLI;

    /** Returns the nanoseconds from this moment to a later one, by the clock that has moved more; never negative. */
    public long nanosUntil(Moment later) {
        long monotonic = later.nanos - nanos;
        long wall = Math.min(Math.max(later.wallMillis - wallMillis, 0), LONGEST_MILLIS) * NANOS_PER_MILLI;
        return Math.max(Math.max(monotonic, wall), 0);
    }

    /** Returns the nanoseconds from this moment to a later one, by the clock that has moved less; never negative. */
    long leastNanosUntil(Moment later) {
        long wall = Math.min(Math.max(later.wallMillis - wallMillis, 0), LONGEST_MILLIS) * NANOS_PER_MILLI;
        return Math.max(Math.min(later.nanos - nanos, wall), 0);
    }

    /** Returns a moment that is not later than either of the two by either clock, so a time counted from it is never too short. */
    public Moment earlier(Moment other) {
        long monotonic = nanos - other.nanos <= 0 ? nanos : other.nanos;
        return new Moment(monotonic, Math.min(wallMillis, other.wallMillis));
    }
}
