package dev.holdfast.node;

/**
 * Fences that follow from a time by a node's clock (PROTOCOL §3): about a million tokens lie between one second and the next, a thousand
 * between one millisecond and the next. Below 2^53 until the year 2242.
 */
public final class FenceFromTime {

    private static final int SECOND_SHIFT = 20;
    private static final int MILLI_SHIFT = 10;

    private FenceFromTime() {}

    /**
     * What an absent fence is based on. Whole seconds, so that nodes whose clocks are some milliseconds apart mostly agree, and a majority of
     * equal fences needs no raise.
     *
     * @param nowMillis the node's time
     */
    public static long ofAbsent(long nowMillis) {
        return (nowMillis / 1000) << SECOND_SHIFT;
    }

    /**
     * What no fence of a run may be below: above every token that was given until that millisecond had passed, unless it was more than a
     * thousand in each.
     *
     * @param countedFromMillis from when on the votes of the run count, by the node's clock; 0 or more
     */
    public static long ofRun(long countedFromMillis) {
        long next = countedFromMillis + 1;
        return ((next / 1000) << SECOND_SHIFT) + ((next % 1000) << MILLI_SHIFT);
    }
}
