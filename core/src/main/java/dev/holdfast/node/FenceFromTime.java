package dev.holdfast.node;

/**
 * A calculation of fences from a node's time (PROTOCOL §3). About a million tokens lie between one second and the next, and a thousand between one
 * millisecond and the next. The fences stay below 2^53 until the year 2242.
 */
public final class FenceFromTime {

    private static final int SECOND_SHIFT = 20;
    private static final int MILLI_SHIFT = 10;

    private FenceFromTime() {}

    /**
     * Returns the base of an absent fence. It counts whole seconds, so nodes whose clocks are a few milliseconds apart usually agree, and a majority
     * of equal fences needs no raise.
     *
     * @param nowMillis the node's time in milliseconds
     */
    public static long ofAbsent(long nowMillis) {
        return (nowMillis / 1000) << SECOND_SHIFT;
    }

    /**
     * Returns the lower bound for the fences of a run. The bound is above every token that the node gave up to the end of that millisecond, as long
     * as the node gave at most a thousand tokens per millisecond.
     *
     * @param countedFromMillis the time from which the votes of the run count, in milliseconds by the node's clock; 0 or more
     */
    public static long ofRun(long countedFromMillis) {
        long next = countedFromMillis + 1;
        return ((next / 1000) << SECOND_SHIFT) + ((next % 1000) << MILLI_SHIFT);
    }
}
