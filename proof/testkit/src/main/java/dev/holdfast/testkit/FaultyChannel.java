package dev.holdfast.testkit;

import dev.holdfast.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One direction between a client and a node: messages pass, are lost, held, delayed or doubled, from now on until told otherwise.
 * Thread-safe.
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

    /** Messages arrive at once. What is held stays held. */
    public synchronized void pass() {
        way = Way.PASS;
        twice = false;
    }

    /** Messages are lost, and nobody is told. */
    public synchronized void lose() {
        way = Way.LOSE;
    }

    /** Messages are kept back until they are released. */
    public synchronized void hold() {
        way = Way.HOLD;
    }

    /** Messages take so long. Those of different delays overtake each other, as over different connections. */
    public synchronized void delay(Duration delay) {
        way = Way.DELAY;
        delayNanos = delay.toNanos();
    }

    /** Messages arrive twice. */
    public synchronized void twice() {
        twice = true;
    }

    /** Returns how many messages are held. */
    public synchronized int held() {
        return held.size();
    }

    /** What is held arrives, in order, and from now on messages pass. */
    public void release() {
        pass();
        while (releaseOne()) {
            // until none is left
        }
    }

    /** The first message that is held arrives; false if there is none. */
    public boolean releaseOne() {
        return arrived(taken(true));
    }

    /** The last message that is held arrives, before all others; false if there is none. */
    public boolean releaseLast() {
        return arrived(taken(false));
    }

    /** What is held is lost. */
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
