package dev.holdfast.time;

/**
 * The end of something that began at a moment and lasts for a length, by this machine's clocks.
 *
 * @param start when it began
 * @param lengthNanos how long it lasts; zero or less is past from the start
 */
public record Deadline(Moment start, long lengthNanos) {

    /** Nanoseconds left; zero or negative when it is past. Saturates instead of overflowing. */
    public long remainingNanos(Moment now) {
        long elapsed = start.nanosUntil(now);
        long left = lengthNanos - elapsed;
        return lengthNanos < 0 && left > 0 ? Long.MIN_VALUE : left;
    }

    public boolean isPast(Moment now) {
        return remainingNanos(now) <= 0;
    }

    /** The same, ending this much earlier. */
    public Deadline minusNanos(long nanos) {
        return new Deadline(start, lengthNanos - nanos);
    }

    /**
     * One that is past as soon as either of the two is, whatever the clocks do from now on: counted from the earlier start by each
     * clock, it lets each of the two have no more time than the clock that has moved less between the starts allows.
     */
    public Deadline sooner(Deadline other) {
        Moment from = start.earlier(other.start);
        return new Deadline(from, Math.min(lengthFrom(from), other.lengthFrom(from)));
    }

    private long lengthFrom(Moment from) {
        return lengthNanos + from.leastNanosUntil(start);
    }

    /** Whichever of the two leaves more at {@code now}. */
    public Deadline later(Deadline other, Moment now) {
        return remainingNanos(now) >= other.remainingNanos(now) ? this : other;
    }
}
