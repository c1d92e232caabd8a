package dev.holdfast.lease;

import dev.holdfast.Lease;
import dev.holdfast.NodeReport;
import dev.holdfast.Refusal;
import dev.holdfast.quorum.Attempt;
import dev.holdfast.quorum.AttemptResult;
import dev.holdfast.quorum.AttemptSettings;
import dev.holdfast.quorum.Quorum;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All attempts and leases of one client. Thread-safe. */
public final class LeaseKeeper {

    private static final long SUSPENSION_WATCH_NANOS = 1_000_000_000L;

    private final Quorum quorum;
    private final LongConsumer ttlUsed;
    private final Set<Begun> attempts = ConcurrentHashMap.newKeySet();
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

    /** Begins an attempt, unless this is closed: that is a refusal too. */
    public Pending acquire(AttemptSettings settings, LeaseSettings leaseSettings) {
        ttlUsed.accept(settings.ttlMillis());
        Begun begun = new Begun();
        attempts.add(begun); // before the look at closed: either it ends here, or closing waits for its outcome
        begun.outcome.whenComplete((made, failure) -> attempts.remove(begun));
        if (closed) {
            begun.outcome.complete(new Outcome(null, closedBefore(settings)));
        } else {
            begun.begin(settings, leaseSettings);
        }
        return begun;
    }

    private Refusal closedBefore(AttemptSettings settings) {
        List<NodeReport> reports = IntStream.range(0, quorum.size())
                .mapToObj(node -> new NodeReport(quorum.name(node), NodeReport.Kind.NOT_ASKED, "", null, 0))
                .toList();
        return new Refusal(settings.name(), Refusal.Reason.CLOSED, Duration.ZERO, reports);
    }

    /** An attempt until its lease is among the leases, or it has been refused. */
    private final class Begun implements Pending {

        private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        private volatile @Nullable Attempt attempt;

        void begin(AttemptSettings settings, LeaseSettings leaseSettings) {
            try {
                Attempt started = Attempt.start(quorum, settings);
                attempt = started;
                started.result().thenAccept(result -> end(result, leaseSettings));
            } catch (RuntimeException e) {
                outcome.completeExceptionally(e);
                throw e;
            }
            if (closed) {
                cancel(Refusal.Reason.CLOSED);
            }
        }

        private void end(AttemptResult result, LeaseSettings settings) {
            try {
                outcome.complete(
                        result instanceof AttemptResult.Won won
                                ? new Outcome(keep(won, settings), null)
                                : new Outcome(null, ((AttemptResult.Refused) result).refusal()));
            } catch (RuntimeException e) {
                outcome.completeExceptionally(e);
            }
        }

        void cancel(Refusal.Reason reason) {
            Attempt started = attempt;
            if (started != null) {
                started.cancel(reason);
            }
        }

        @Override
        public CompletableFuture<Outcome> outcome() {
            return outcome;
        }

        @Override
        public void cancel() {
            cancel(Refusal.Reason.CANCELLED);
            outcome.thenAccept(made -> {
                if (made.lease() != null) {
                    made.lease().releaseAsync();
                }
            });
        }
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
        CompletableFuture<Void> made =
                allOf(attempts.stream().map(Begun::outcome).toList());
        attempts.forEach(attempt -> attempt.cancel(Refusal.Reason.CLOSED));
        leases.forEach(HeldLease::startRelease);
        return made.handle((done, failure) ->
                        allOf(leases.stream().map(HeldLease::startRelease).toList()))
                .thenCompose(released -> released)
                .thenCompose(released -> quorum.released());
    }

    private static CompletableFuture<Void> allOf(Collection<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
    }
}
