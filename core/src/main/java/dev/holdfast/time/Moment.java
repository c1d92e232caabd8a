package dev.holdfast.time;

/**
 * A reading of both clocks of this machine.
 *
 * <p>The time between two moments is the larger of what the two clocks say (PROTOCOL §4), so a suspended machine counts its sleep,
 * a wall clock set forward ends things early at worst, and one set back never lengthens anything.
 *
 * @param nanos the monotonic clock; comparisons are made by difference, so its wrap-around does no harm
 * @param wallMillis the wall clock
 */
public record Moment(long nanos, long wallMillis) {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LONGEST_MILLIS = Long.MAX_VALUE / NANOS_PER_MILLI;

    /** Nanoseconds that have passed from this moment to a later one, by the clock that has moved more; never negative. */
    public long nanosUntil(Moment later) {
        long monotonic = later.nanos - nanos;
        long wall = Math.min(Math.max(later.wallMillis - wallMillis, 0), LONGEST_MILLIS) * NANOS_PER_MILLI;
        return Math.max(Math.max(monotonic, wall), 0);
    }

    /** Nanoseconds that have passed from this moment to a later one by the clock that has moved less; never negative. */
    long leastNanosUntil(Moment later) {
        long wall = Math.min(Math.max(later.wallMillis - wallMillis, 0), LONGEST_MILLIS) * NANOS_PER_MILLI;
        return Math.max(Math.min(later.nanos - nanos, wall), 0);
    }

    /** A moment that is not later than either by any clock: time counted from it is never too short. */
    public Moment earlier(Moment other) {
        long monotonic = nanos - other.nanos <= 0 ? nanos : other.nanos;
        return new Moment(monotonic, Math.min(wallMillis, other.wallMillis));
    }
}
