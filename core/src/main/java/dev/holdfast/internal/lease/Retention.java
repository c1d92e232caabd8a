package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Validity;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.time.Moment;
import java.util.concurrent.CompletableFuture;

/**
 * The retention of a lease after its holder has finished, until the lease has been held for a given time ({@code releaseAfter}). The client asks the nodes to
 * keep the lease for that long, so the lease remains when the client closes. Accessed only on the lease's serial executor.
 */
final class Retention {

    private final QuorumLease lease;
    private final LeaseHandle holder;
    private final TimeLimit limit;
    private final Moment since;
    private long nanos;

    /**
     * Creates a retention that keeps nothing yet.
     *
     * @param since when the holder was granted the lease
     */
    Retention(QuorumLease lease, LeaseHandle holder, Moment since) {
        this.lease = lease;
        this.holder = holder;
        this.since = since;
        this.limit = new TimeLimit(lease.quorum().timing(), lease.executor(), holder::endHold);
    }

    /** Keeps the lease until it has been held for this long, and then ends the hold. */
    void keep(long heldNanos) {
        limit.cancel();
        nanos = heldNanos;
        if (leftNanos() <= 0) {
            holder.endHold();
        } else {
            keepAtNodes();
            limit.start(since, heldNanos);
        }
    }

    /** Stops the timer, because the hold has ended or is left to the nodes. */
    void stop() {
        limit.cancel();
    }

    private long leftNanos() {
        return nanos - since.nanosUntil(lease.quorum().timing().now());
    }

    /** Asks the nodes to keep the lease until the retention ends. The future completes at once if they already do. */
    CompletableFuture<ExtendOutcome> keepAtNodes() {
        long left = leftNanos();
        CompletableFuture<ExtendOutcome> outcome = new CompletableFuture<>();
        if (holder.remainingNanos(lease.quorum().timing().now()) >= left) {
            outcome.complete(ExtendOutcome.EXTENDED);
        } else {
            lease.extend(holder, Math.min(Validity.ttlMillis(left), DistributedLock.MAX_TTL.toMillis()), outcome);
        }
        return outcome;
    }
}
