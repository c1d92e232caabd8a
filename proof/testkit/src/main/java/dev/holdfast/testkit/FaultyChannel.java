package dev.holdfast.testkit;

import dev.holdfast.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One direction between a client and a node. It passes, loses, holds, delays or duplicates messages until the test
 * changes that. Thread-safe.
 */
public final class FaultyChannel {

    private enum Way {
        PASS,
        LOSE,
        HOLD,
        DELAY,
    }

    private final Scheduler network;
    private final Deque<Runnable> held = new ArrayDeque<>();
    private Way way = Way.PASS;
    private long delayNanos;
    private boolean twice;

    FaultyChannel(Scheduler network) {
        this.network = network;
    }

    /** Delivers later messages at once. Held messages stay held. */
    public synchronized void pass() {
        way = Way.PASS;
        twice = false;
    }

    /** Loses later messages silently. */
    public synchronized void lose() {
        way = Way.LOSE;
    }

    /** Holds later messages until the test releases them. */
    public synchronized void hold() {
        way = Way.HOLD;
    }

    /**
     * Delays each later message by {@code delay}. Messages with different delays overtake each other, as over different
     * connections.
     */
    public synchronized void delay(Duration delay) {
        way = Way.DELAY;
        delayNanos = delay.toNanos();
    }

    /** Delivers each later message twice. */
    public synchronized void twice() {
        twice = true;
    }

    /** Returns the number of held messages. */
    public synchronized int held() {
        return held.size();
    }

    /** Delivers the held messages in order, and lets later messages pass. */
    public void release() {
        pass();
        while (releaseOne()) {
            // until none is left
        }
    }

    /** Delivers the first held message; {@code false} if there is none. */
    public boolean releaseOne() {
        return arrived(taken(true));
    }

    /** Delivers the last held message before all others; {@code false} if there is none. */
    public boolean releaseLast() {
        return arrived(taken(false));
    }

    /** Loses the held messages. */
    public synchronized void loseHeld() {
        held.clear();
    }

    private synchronized @Nullable Runnable taken(boolean first) {
        return first ? held.pollFirst() : held.pollLast();
    }

    private static boolean arrived(@Nullable Runnable message) {
        if (message != null) {
            message.run();
        }
        return message != null;
    }

    void carry(Runnable message) {
        Way taken;
        boolean doubled;
        synchronized (this) {
            taken = way;
            doubled = twice;
            if (taken == Way.HOLD) {
                held.add(message);
            }
        }
        for (int copy = 0; copy < (doubled ? 2 : 1); copy++) {
            if (taken == Way.PASS) {
                message.run();
            } else if (taken == Way.DELAY) {
                network.schedule(delayNanos, message);
            }
        }
    }
}
