package dev.holdfast.internal.time;

import dev.holdfast.time.Moment;
import dev.holdfast.time.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The machine's clocks, put forward by the time for which both of them are known to have stood still. Thread-safe.
 *
 * <p>A virtual machine that is frozen, migrated or restored does not see its own pause: neither clock moves. Once the nodes' clocks show the pause, this class
 * adds it to the wall clock, so everything that began before the pause has lasted that much longer (see {@link Moment}). No later step may undo that: in
 * moments, the wall clock never falls behind the monotonic clock again. A wall clock that is set back therefore does not cancel a pause.
 */
public final class AdjustedTicker implements Ticker {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Ticker machine;
    private final AtomicLong missedMillis = new AtomicLong();
    private final Moment start;

    /** The most by which the wall clock has run ahead of the monotonic one since the start, in milliseconds. */
    private final AtomicLong mostAheadMillis = new AtomicLong();

    public AdjustedTicker(Ticker machine) {
        this.machine = machine;
        this.start = machine.now();
    }

    /** Puts the clocks forward by the time for which both stood still, 0 or more. */
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

    @Override
    public Moment now() {
        Moment now = machine.now();
        long evenMillis = start.wallMillis() + (now.nanos() - start.nanos()) / NANOS_PER_MILLI;
        long ahead = now.wallMillis() - evenMillis;
        long most = mostAheadMillis.get();
        if (ahead > most) { // this is rare, because the two clocks run at the same rate
            most = mostAheadMillis.accumulateAndGet(ahead, Math::max);
        }
        return new Moment(now.nanos(), evenMillis + most + missedMillis.get());
    }
}
