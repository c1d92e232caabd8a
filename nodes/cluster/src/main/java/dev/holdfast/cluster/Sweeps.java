package dev.holdfast.cluster;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The entries that a leader proposes automatically: a sweep of expired state once a minute, and in between an entry that changes nothing. Each entry
 * records the log time. So if the leader dies on an idle cluster, votes last longer by that period at most, and not by all the time without an entry.
 * Thread-safe.
 */
final class Sweeps {

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int PERIODS_OF_SWEEP = 6;

    /** An operation that changes nothing. */
    private static final Operation<?> TIME = new Operation.Inspect("");

    private final Scheduler scheduler;
    private final Proposals proposals;
    private @Nullable Timer next;
    private boolean ended;

    Sweeps(Scheduler scheduler, Proposals proposals) {
        this.scheduler = scheduler;
        this.proposals = proposals;
    }

    /** Proposes a sweep now, and further entries while this server leads. */
    void begin() {
        synchronized (this) {
            if (next != null) {
                next.cancel(); // that of an earlier time in office
            }
        }
        propose(0);
    }

    private void propose(int period) {
        proposals.propose(period == 0 ? new Operation.Sweep() : TIME);
        synchronized (this) {
            next = ended || !proposals.leads()
                    ? null
                    : scheduler.schedule(PERIOD_NANOS, () -> propose((period + 1) % PERIODS_OF_SWEEP));
        }
    }

    synchronized void end() {
        ended = true;
        if (next != null) {
            next.cancel();
        }
    }
}
