package dev.holdfast.cluster;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The removal of expired state: while a server leads, it proposes an entry for that once a minute. Thread-safe. */
final class Sweeps {

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Scheduler scheduler;
    private final Proposals proposals;
    private @Nullable Timer next;
    private boolean ended;

    Sweeps(Scheduler scheduler, Proposals proposals) {
        this.scheduler = scheduler;
        this.proposals = proposals;
    }

    /** Proposes a sweep now, and further ones while this server leads. */
    void begin() {
        proposals.propose(new Operation.Sweep());
        synchronized (this) {
            next = ended || !proposals.leads() ? null : scheduler.schedule(PERIOD_NANOS, this::begin);
        }
    }

    synchronized void end() {
        ended = true;
        if (next != null) {
            next.cancel();
        }
    }
}
