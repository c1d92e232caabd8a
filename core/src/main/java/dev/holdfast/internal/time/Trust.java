package dev.holdfast.internal.time;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether something that pays only sometimes is worth it: as long as two of three times it did; otherwise it is tried now and then. May be used by many
 * threads at once.
 */
public final class Trust {

    /** How often it is tried where it was not worth it: once in so many times. */
    public static final int TRY_EVERY = 32;

    private static final int MOST = 8;
    private static final int LOST_BY_A_FAILURE = 2;

    private final AtomicInteger level = new AtomicInteger();
    private final AtomicInteger passedOver = new AtomicInteger();

    /** Nothing is known yet, so it is tried only now and then. */
    public Trust() {}

    /** To be asked each time that it could be done. */
    public boolean isWorthIt() {
        return level.get() > 0 || passedOver.incrementAndGet() % TRY_EVERY == 0;
    }

    /** It was done, and was good for something. */
    public void paid() {
        if (level.get() < MOST) {
            level.updateAndGet(before -> Math.min(before + 1, MOST));
        }
    }

    /** It was done in vain. */
    public void failed() {
        if (level.get() > 0) {
            level.updateAndGet(before -> Math.max(before - LOST_BY_A_FAILURE, 0));
        }
    }
}
