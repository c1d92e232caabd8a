package dev.holdfast.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The machine's clocks, put forward by the time for which both of them are known to have stood still. Thread-safe.
 *
 * <p>A virtual machine that is frozen, migrated or restored does not see its own pause: neither clock moves. Once the clocks of others show
 * the pause, the wall clock is read that much later, so everything that began before has lasted that much longer (see {@link Moment}).
 */
public final class AdjustedTicker implements Ticker {

    private final Ticker machine;
    private final AtomicLong missedMillis = new AtomicLong();

    public AdjustedTicker(Ticker machine) {
        this.machine = machine;
    }

    /** Both clocks stood still for so long, 0 or more. */
    public void missed(long millis) {
        missedMillis.addAndGet(Math.max(millis, 0));
    }

    @Override
    public long nanos() {
        return machine.nanos();
    }

    @Override
    public long wallMillis() {
        return machine.wallMillis() + missedMillis.get();
    }
}
