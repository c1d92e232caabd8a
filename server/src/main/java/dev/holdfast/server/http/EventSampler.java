package dev.holdfast.server.http;

/** Lets the first events of each second through, and counts the others. Not thread-safe. */
final class EventSampler {

    private static final long SECOND_MILLIS = 1_000;

    private final int perSecond;
    private long second = Long.MIN_VALUE;
    private int let;
    private int leftOut;

    EventSampler(int perSecond) {
        this.perSecond = perSecond;
    }

    /** Whether one that happened at that time goes through. */
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

    /** How many have been left out since this was asked last. */
    int leftOut() {
        int count = leftOut;
        leftOut = 0;
        return count;
    }
}
