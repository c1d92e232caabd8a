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

    /** Whichever of the two leaves less at {@code now}, counted from the earlier start by either clock. */
    public Deadline sooner(Deadline other, Moment now) {
        Deadline shorter = remainingNanos(now) <= other.remainingNanos(now) ? this : other;
        Moment from = start.earlier(other.start);
        return new Deadline(from, shorter.remainingNanos(now) + from.nanosUntil(now));
    }

    /** Whichever of the two leaves more at {@code now}. */
    public Deadline later(Deadline other, Moment now) {
        return remainingNanos(now) >= other.remainingNanos(now) ? this : other;
    }
}
