package dev.holdfast.redis;

import dev.holdfast.time.Ticker;
import dev.holdfast.time.Trust;
import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * Keeps an event loop that has nothing to do awake for a moment, and lets others run meanwhile, as long as this is worth it: where answers and requests come
 * within microseconds, most of the time would go into waking the loop (docs/decisions/0021).
 *
 * <p>It is worth it as long as two of three times the moment was long enough ({@link Trust}). Used by one event loop's thread.
 */
final class AwakeSelect implements SelectStrategy {

    /** How long it stays awake. */
    static final long AWAKE_NANOS = 50_000;

    private final Ticker ticker;
    private final Trust trust = new Trust();
    private boolean awake;
    private long awakeSince;

    AwakeSelect(Ticker ticker) {
        this.ticker = ticker;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on whether and when another thread runs
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (!hasTasks && !awake && !trust.isWorthIt()) {
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
            trust.failed();
            return SELECT;
        }
        Thread.yield();
        return CONTINUE;
    }

    private void busy() {
        if (awake) {
            awake = false;
            trust.paid();
        }
    }
}
