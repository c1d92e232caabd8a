package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Grant;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.Seal;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The turns of one client's holders with one lease, from the grant until the lease is back at the nodes. It creates each holder's {@link LeaseHandle}, and
 * decides after each turn whether the client keeps the lease. Accessed only on the session's serial executor.
 */
final class LeaseTurns implements QuorumLease.Owner, LeaseHandle.Owner {

    /** The session that the lease belongs to. */
    interface Session {

        /** Returns whether a free lease may stay for a waiter, or may linger. */
        boolean mayHandOver();

        boolean hasWaiters();

        /** Returns the waiters behind the holder. */
        LocalQueue queue();

        /** Reports to the waiters that the holder in front of them, or their position, has changed. */
        void reportHolder();

        /** Notifies the session that the lease is released, lost, or left to the nodes. */
        void leaseEnded(LeaseTurns ended);

        /** Notifies the session of a hand-over, and of whether the previous one was only microseconds ago. */
        void handedOver(boolean quickly);
    }

    private final ClientLeases client;
    private final long maxHoldNanos; // Long.MAX_VALUE for no limit
    private final Session session;
    private final QuorumLease lease;
    private @Nullable LeaseHandle holder;
    private boolean ended;
    private long handedOverNanos;

    LeaseTurns(
            ClientLeases client,
            Quorum quorum,
            Grant grant,
            LockOptions options,
            SerialExecutor executor,
            Session session) {
        this.client = client;
        this.maxHoldNanos = Durations.saturatedNanos(options.maxHold());
        this.session = session;
        this.lease = new QuorumLease(quorum, grant, options.autoExtend(), executor, this);
    }

    QuorumLease lease() {
        return lease;
    }

    /** Grants the first turn. */
    void begin(Waiter first, Moment acquired) {
        lease.begin();
        grant(first, lease.firstToken(), acquired);
    }

    private void grant(Waiter waiter, long token, Moment now) {
        Deadline maxHold = maxHoldNanos == Long.MAX_VALUE ? null : new Deadline(now, maxHoldNanos);
        LeaseHandle handle = new LeaseHandle(lease, this, token, now, maxHold, lease.valueText());
        holder = handle;
        lease.giveTo(handle, now);
        waiter.grant(handle);
        session.reportHolder();
    }

    // ---- between two turns

    /** Hands a free lease over to the next waiter. For a lease that is held, requests a token for that waiter in time. */
    @Override
    public void leaseChanged() {
        if (!lease.isHeld()) {
            passOn();
        } else if (session.hasWaiters()) {
            Moment now = lease.quorum().timing().now();
            if (lease.mayBeHandedOver(now)) {
                lease.provideTokens(now);
            }
        }
    }

    /** Hands a free lease over, keeps it for its next holder, or releases it. */
    void passOn() {
        if (!ended && !lease.isHeld() && !stays()) {
            release(null);
        }
    }

    private boolean stays() {
        return session.mayHandOver() && session.queue().handOver(lease, this::handOver);
    }

    private void handOver(Waiter next, Moment now) {
        session.handedOver(now.nanos() - handedOverNanos < HandOverSpin.QUICK_NANOS);
        handedOverNanos = now.nanos();
        grant(next, lease.nextToken(), now);
    }

    /** Releases the lease if it is free, because it has lingered for long enough. */
    void releaseIfFree() {
        if (!ended && !lease.isHeld()) {
            release(null);
        }
    }

    private CompletableFuture<ReleaseOutcome> release(@Nullable Seal seal) {
        ended = true;
        CompletableFuture<ReleaseOutcome> outcome = lease.release(seal);
        session.leaseEnded(this);
        return outcome;
    }

    // ---- the end of a turn

    @Override
    public void released(LeaseHandle handle, boolean inTime) {
        if (ended) {
            handle.completeRelease(ReleaseOutcome.UNCONFIRMED);
            return;
        }
        lease.endTurn();
        if (inTime && stays()) {
            handle.completeRelease(ReleaseOutcome.RELEASED);
        } else {
            release(null).thenAccept(outcome -> handle.completeRelease(inTime ? outcome : ReleaseOutcome.EXPIRED));
        }
    }

    @Override
    public void sealed(LeaseHandle handle, boolean inTime, Seal seal) {
        if (ended) {
            handle.completeSeal(ReleaseOutcome.UNCONFIRMED, inTime);
            return;
        }
        lease.endTurn();
        release(seal).thenAccept(outcome -> handle.completeSeal(outcome, inTime));
    }

    @Override
    public void abandoned() {
        lease.abandon();
        leaseLost();
    }

    @Override
    public void leaseLost() {
        ended = true;
        session.leaseEnded(this);
    }

    /** Ends the turn, or releases the free lease, because the client is closed. */
    void close() {
        LeaseHandle current = holder;
        if (current != null && lease.isHeld()) {
            current.closeClient();
        } else {
            releaseIfFree();
        }
    }

    // ---- for the client

    @Override
    public void tokensRaised(Moment now) {
        client.firstBlocks().taken(lease.resource(), now.nanos());
    }

    @Override
    public void timerLate(long lateMillis) {
        client.timerLate(lease.name(), lateMillis);
    }

    @Override
    public void checkTtl(long ttlMillis) {
        client.checkTtl(ttlMillis);
    }
}
