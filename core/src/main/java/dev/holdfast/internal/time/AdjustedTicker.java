package dev.holdfast.internal.time;

import dev.holdfast.time.Moment;
import dev.holdfast.time.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The machine's clocks, put forward by the time for which both of them are known to have stood still. Thread-safe.
 *
 * <p>A virtual machine that is frozen, migrated or restored does not see its own pause: neither clock moves. Once the nodes' clocks show the pause, this class
 * adds it to the wall clock, so everything that began before the pause has lasted that much longer (see {@link Moment}). No later step may undo that: in
 * moments, the wall clock never falls behind the monotonic clock again. A wall clock that is set back therefore does not cancel a pause, and neither hides a
 * later one.
 */
public final class AdjustedTicker implements Ticker {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** How far the wall clock must fall behind to count as set back, in milliseconds. Two readings always differ a little. */
    private static final long SET_BACK_MILLIS = 500;

    private final Ticker machine;
    private final AtomicLong missedMillis = new AtomicLong();
    private final Moment start;
    private final AtomicReference<Lead> lead = new AtomicReference<>(new Lead(0, 0));

    public AdjustedTicker(Ticker machine) {
        this.machine = machine;
        this.start = machine.now();
    }

    /**
     * The lead of the wall clock over the monotonic clock since the start.
     *
     * @param aheadMillis the lead from which growth counts
     * @param countedMillis all growth so far: the time for which the monotonic clock alone stood still
     */
    private record Lead(long aheadMillis, long countedMillis) {

        boolean changes(long millis) {
            return millis > aheadMillis || millis < aheadMillis - SET_BACK_MILLIS;
        }

        Lead at(long millis) {
            return changes(millis) ? new Lead(millis, countedMillis + Math.max(millis - aheadMillis, 0)) : this;
        }
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
        Lead known = lead.get();
        if (known.changes(aheadMillis(now))) { // this is rare, because the two clocks run at the same rate
            // by a new reading, since another thread may have counted one that is later than `now`
            known = lead.updateAndGet(before -> before.at(aheadMillis(machine.now())));
        }
        return new Moment(now.nanos(), now.wallMillis() - aheadMillis(now) + known.countedMillis + missedMillis.get());
    }

    private long aheadMillis(Moment now) {
        return now.wallMillis() - start.wallMillis() - (now.nanos() - start.nanos()) / NANOS_PER_MILLI;
    }
}
