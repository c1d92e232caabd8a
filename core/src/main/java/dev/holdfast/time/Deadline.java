package dev.holdfast.time;

/**
 * The end of a period that began at a moment and lasts for a length, by this machine's clocks.
 *
 * @param start the moment at which the period began
 * @param lengthNanos the length of the period in nanoseconds; a deadline of zero or less is past from the start
 */
public record Deadline(Moment start, long lengthNanos) {

    /** Returns the nanoseconds left; zero or negative once the deadline is past. The result saturates instead of overflowing. */
    public long remainingNanos(Moment now) {
        long elapsed = start.nanosUntil(now);
        long left = lengthNanos - elapsed;
        return lengthNanos < 0 && left > 0 ? Long.MIN_VALUE : left;
    }

    public boolean isPast(Moment now) {
        return remainingNanos(now) <= 0;
    }

    /** Returns the deadline that ends this many nanoseconds earlier. */
    public Deadline minusNanos(long nanos) {
        return new Deadline(start, lengthNanos - nanos);
    }

    /**
     * Returns a deadline that is past as soon as either of the two is, however the clocks move from now on. It counts from the earlier start of each
     * clock. Between the two starts, it counts by the clock that moved less, so neither deadline gets more time.
     */
    public Deadline sooner(Deadline other) {
        Moment from = start.earlier(other.start);
        return new Deadline(from, Math.min(lengthFrom(from), other.lengthFrom(from)));
    }

    private long lengthFrom(Moment from) {
        return lengthNanos + from.leastNanosUntil(start);
    }

    /** Returns the one of the two deadlines that leaves more time at {@code now}. */
    public Deadline later(Deadline other, Moment now) {
        return remainingNanos(now) >= other.remainingNanos(now) ? this : other;
    }
}
