package dev.holdfast.server.http;

/** A sampler that passes the first events of each second, and counts the others. Not thread-safe. */
final class EventSampler {

    private static final long SECOND_MILLIS = 1_000;

    private final int perSecond;
    private long second = Long.MIN_VALUE;
    private int let;
    private int leftOut;

    EventSampler(int perSecond) {
        this.perSecond = perSecond;
    }

    /** Returns whether an event at that time passes. */
    boolean lets(long atMillis) {
        long now = Math.floorDiv(atMillis, SECOND_MILLIS);
        if (now != second) {
            second = now;
            let = 0;
        }
        if (let < perSecond) {
            let++;
            return true;
        }
        leftOut++;
        return false;
    }

    /** Returns how many events were left out since the previous call. */
    int leftOut() {
        int count = leftOut;
        leftOut = 0;
        return count;
    }
}
