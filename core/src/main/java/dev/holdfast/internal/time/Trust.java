package dev.holdfast.internal.time;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An estimate of whether an action that pays off only sometimes is worth it. It is as long as it paid off in two of three cases; otherwise it is tried now and
 * then. May be used by many threads at once.
 */
public final class Trust {

    /** The interval of tries of an action that is not worth it: one in so many occasions. */
    public static final int TRY_EVERY = 32;

    private static final int MOST = 8;
    private static final int LOST_BY_A_FAILURE = 2;

    private final AtomicInteger level = new AtomicInteger();
    private final AtomicInteger passedOver = new AtomicInteger();

    /** Creates an estimate without experience, so the action is tried only now and then. */
    public Trust() {}

    /** Returns whether to do the action now. The caller asks each time that the action is possible. */
    public boolean isWorthIt() {
        return level.get() > 0 || passedOver.incrementAndGet() % TRY_EVERY == 0;
    }

    /** Records that the action paid off. */
    public void paid() {
        if (level.get() < MOST) {
            level.updateAndGet(before -> Math.min(before + 1, MOST));
        }
    }

    /** Records that the action did not pay off. */
    public void failed() {
        if (level.get() > 0) {
            level.updateAndGet(before -> Math.max(before - LOST_BY_A_FAILURE, 0));
        }
    }
}
