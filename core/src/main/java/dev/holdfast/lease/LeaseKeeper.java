package dev.holdfast.lease;

import dev.holdfast.Lease;
import dev.holdfast.Refusal;
import dev.holdfast.quorum.Attempt;
import dev.holdfast.quorum.AttemptResult;
import dev.holdfast.quorum.AttemptSettings;
import dev.holdfast.quorum.Quorum;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** All attempts and leases of one client. Thread-safe. */
public final class LeaseKeeper {

    private static final long SUSPENSION_WATCH_NANOS = 1_000_000_000L;

    private final Quorum quorum;
    private final LongConsumer ttlUsed;
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    private final Set<HeldLease> leases = ConcurrentHashMap.newKeySet();
    private final Object watchLock = new Object();
    private @Nullable Timer watch;
    private volatile boolean closed;

    /**
     * Nothing is held yet.
     *
     * @param ttlUsed told of every ttl in milliseconds that votes are asked to last, before they are asked: quarantine follows the
     *     longest (PROTOCOL §5); may refuse it by an {@link IllegalArgumentException}
     */
    public LeaseKeeper(Quorum quorum, LongConsumer ttlUsed) {
        this.quorum = quorum;
        this.ttlUsed = ttlUsed;
    }

    /** An attempt under way. */
    public interface Pending {

        /** The lease, or why there is none. Completes on a node's or a timer's thread. */
        CompletableFuture<Outcome> outcome();

        /** Gives up; a lease that is made at the same moment is given back. */
        void cancel();
    }

    /** A lease, or why there is none: one of the two is there. */
    public record Outcome(@Nullable Lease lease, @Nullable Refusal refusal) {}

    /** Begins an attempt. */
    public Pending acquire(AttemptSettings settings, LeaseSettings leaseSettings) {
        ttlUsed.accept(settings.ttlMillis());
        Attempt attempt = Attempt.start(quorum, settings);
        attempts.add(attempt);
        CompletableFuture<Outcome> outcome = attempt.result().thenApply(result -> {
            attempts.remove(attempt);
            return result instanceof AttemptResult.Won won
                    ? new Outcome(keep(won, leaseSettings), null)
                    : new Outcome(null, ((AttemptResult.Refused) result).refusal());
        });
        if (closed) {
            attempt.cancel(Refusal.Reason.CLOSED);
        }
        return new Pending() {
            @Override
            public CompletableFuture<Outcome> outcome() {
                return outcome;
            }

            @Override
            public void cancel() {
                attempt.cancel(Refusal.Reason.CANCELLED);
                outcome.thenAccept(made -> {
                    if (made.lease() != null) {
                        made.lease().releaseAsync();
                    }
                });
            }
        };
    }

    private Lease keep(AttemptResult.Won won, LeaseSettings settings) {
        HeldLease lease = new HeldLease(quorum, won.grant(), settings, ttlUsed, leases::remove);
        leases.add(lease);
        lease.begin();
        if (closed) {
            lease.startRelease();
        }
        watchForSuspension();
        return lease;
    }

    /** Timers stand still while a machine is suspended; the wall clock tells, and leases look at once instead of at their next timer. */
    private void watchForSuspension() {
        synchronized (watchLock) {
            if (watch == null && !leases.isEmpty() && !closed) {
                Moment before = quorum.timing().now();
                watch = quorum.timing().scheduler().schedule(SUSPENSION_WATCH_NANOS, () -> lookForSuspension(before));
            }
        }
    }

    private void lookForSuspension(Moment before) {
        Moment now = quorum.timing().now();
        long monotonic = now.nanos() - before.nanos();
        if (before.nanosUntil(now) > monotonic + SUSPENSION_WATCH_NANOS / 2) {
            leases.forEach(HeldLease::poke);
        }
        synchronized (watchLock) {
            watch = null;
        }
        watchForSuspension();
    }

    /** Ends attempts that wait and gives leases back; completes when the nodes have answered, or had time to. */
    public CompletableFuture<Void> close() {
        closed = true;
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (Attempt attempt : attempts) {
            attempt.cancel(Refusal.Reason.CLOSED);
            ends.add(attempt.result());
        }
        leases.forEach(lease -> ends.add(lease.startRelease()));
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                .thenCompose(ended -> quorum.released());
    }
}
