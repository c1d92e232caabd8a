package dev.holdfast.redis;

import dev.holdfast.time.Ticker;
import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * Keeps an event loop that has nothing to do awake for a moment, and lets others run meanwhile, as long as this is worth it: where answers and requests come
 * within microseconds, most of the time would go into waking the loop (docs/decisions/0021).
 *
 * <p>It is worth it as long as two of three times the moment was long enough; otherwise the loop sleeps at once, and tries again now and then. Used by one
 * event loop's thread.
 */
final class AwakeSelect implements SelectStrategy {

    /** How long it stays awake. */
    static final long AWAKE_NANOS = 50_000;

    /** How often it tries where it was not worth it: once in so many times that there is nothing to do. */
    static final int TRY_EVERY = 32;

    private static final int MOST_TRUST = 8;
    private static final int LOST_BY_A_FAILURE = 2;

    private final Ticker ticker;
    private boolean awake;
    private long awakeSince;
    private int trust;
    private int slept;

    AwakeSelect(Ticker ticker) {
        this.ticker = ticker;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on whether and when another thread runs
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (!hasTasks && !awake && !isWorthIt()) {
            return SELECT;
        }
        int ready = selectNow.get();
        if (hasTasks || ready > 0) {
            busy();
            return ready;
        }
        if (!awake) {
            awake = true;
            awakeSince = ticker.nanos();
        } else if (ticker.nanos() - awakeSince >= AWAKE_NANOS) {
            awake = false;
            trust = Math.max(trust - LOST_BY_A_FAILURE, 0);
            return SELECT;
        }
        Thread.yield();
        return CONTINUE;
    }

    private boolean isWorthIt() {
        if (trust > 0) {
            return true;
        }
        slept = (slept + 1) % TRY_EVERY;
        return slept == 0;
    }

    private void busy() {
        if (awake) {
            awake = false;
            trust = Math.min(trust + 1, MOST_TRUST);
        }
    }
}
