package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.quorum.Validity;
import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A user's lease: one holder's time with a {@link QuorumLease}, under a token of its own. State changes only on the lease's serial executor.
 *
 * <p>The hold ends once: by its release, by a seal, or by a loss. Its {@link Owner} then decides what happens to the votes.
 */
final class LeaseHandle extends LeaseOperations implements LeaseHolder {

    private enum State {
        HELD,
        LOST,
        RELEASED,
        SEALED,
    }

    /** The session to which a lease returns when its hold ends. */
    interface Owner {

        /** Ends the turn of a holder that has released the lease. {@code inTime} is false if the lease had expired unnoticed. */
        void released(LeaseHandle handle, boolean inTime);

        /** Ends the turn of a holder whose work is done for good. The nodes reject later requests. */
        void sealed(LeaseHandle handle, boolean inTime, Seal seal);

        /** Leaves the lease to the nodes, because the client is closed. */
        void abandoned();

        /** Rejects a ttl for which the lease cannot be extended. */
        void checkTtl(long ttlMillis);
    }

    private final QuorumLease lease;
    private final Owner owner;
    private final long token;
    private final Moment since;
    private final @Nullable Deadline maxHold;
    private volatile String value;
    private final CompletableFuture<ReleaseOutcome> released = new CompletableFuture<>();
    private final CompletableFuture<SealOutcome> sealed = new CompletableFuture<>();
    private volatile State state = State.HELD;
    private volatile @Nullable Loss loss;
    private @Nullable LeaseCallbacks callbacks;
    private LeaseObserver observer = LeaseObserver.NONE;
    private @Nullable Retention retention;

    /**
     * Creates a handle that holds the lease from now on.
     *
     * @param maxHold when the hold ends in any case; null for no limit
     * @param value the lock's value; empty if there is none
     */
    LeaseHandle(QuorumLease lease, Owner owner, long token, Moment since, @Nullable Deadline maxHold, String value) {
        this.lease = lease;
        this.owner = owner;
        this.token = token;
        this.since = since;
        this.maxHold = maxHold;
        this.value = value;
    }

    // ---- what it is

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public LockMode mode() {
        return lease.mode();
    }

    @Override
    public long fencingToken() {
        return token;
    }

    @Override
    public String owner() {
        return lease.owner().toString();
    }

    @Override
    public String share() {
        return lease.share();
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(state == State.HELD ? Math.max(remainingNanos(now()), 0) : 0);
    }

    @Override
    public boolean isHeld() {
        return state == State.HELD && remainingNanos(now()) > 0;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            Loss known = loss;
            throw new LeaseLostException(
                    known != null
                            ? known.toString()
                            : "lease of '" + name() + "' is "
                                    + switch (state) {
                                        case RELEASED -> "released";
                                        case SEALED -> "sealed";
                                        case HELD, LOST -> "lost: it expired";
                                    });
        }
    }

    /** Returns whether this hold blocks a request for that mode, so that a thread which holds this lease would wait for itself. */
    boolean blocks(Quorum quorum, String resource, LockMode wanted) {
        return lease.quorum() == quorum
                && lease.resource().equals(resource)
                && mode().conflictsWith(wanted)
                && isHeld();
    }

    private Moment now() {
        return lease.quorum().timing().now();
    }

    @Override
    Scheduler scheduler() {
        return lease.quorum().timing().scheduler();
    }

    long remainingNanos(Moment now) {
        return Math.min(lease.validNanos(now), maxHoldNanos(now));
    }

    @Override
    public long maxHoldNanos(Moment now) {
        return maxHold == null ? Long.MAX_VALUE : maxHold.remainingNanos(now);
    }

    @Override
    public String toString() {
        return "Lease[" + lease + ", token " + token + ", " + state + "]";
    }

    // ---- the client's observer

    /** Reports to this observer from now on. It is called before the user receives the lease. */
    void observe(LeaseObserver by, Moment asked) {
        observer = by;
        if (by != LeaseObserver.NONE) {
            by.granted(this, Duration.ofNanos(asked.nanosUntil(since)));
        }
    }

    /** Stops the retention, and reports the end of the hold, as a loss if the lease had expired unnoticed. */
    private void reportEnd(LeaseEnd.How how, boolean inTime) {
        if (retention != null) {
            retention.stop();
        }
        if (inTime) {
            HoldReports.end(observer, how, since, now(), remainingNanos(now()));
        } else {
            reportLoss(HoldReports.overdue(name(), maxHoldNanos(now()) <= 0));
        }
    }

    private void reportLoss(Loss event) {
        lease.quorum().nodes().observer().lost(event, mode(), token);
        reportEnd(LeaseEnd.How.LOST, true);
    }

    // ---- what the lease reports

    @Override
    public void notifyAtRisk(AtRisk event) {
        if (callbacks != null) {
            callbacks.atRisk.raise(event);
        }
    }

    @Override
    public void clearRisk() {
        if (callbacks != null) {
            callbacks.atRisk.lower();
        }
    }

    @Override
    public void notifyExtended(Moment now) {
        if (callbacks != null) {
            callbacks.extended(Duration.ofNanos(Math.max(remainingNanos(now), 0)));
        }
    }

    @Override
    public void notifyContended(Ticket waiter) {
        if (callbacks != null) {
            callbacks.contended.raise(waiter);
        }
    }

    @Override
    public void endLost() {
        state = State.LOST;
    }

    @Override
    public void notifyLost(Loss event) {
        loss = event;
        reportLoss(event);
        if (callbacks != null) {
            callbacks.lost(event);
        }
        released.complete(ReleaseOutcome.EXPIRED);
    }

    @Override
    public void confirmValue(String text) {
        value = text;
    }

    // ---- callbacks

    private LeaseCallbacks callbacks() {
        LeaseCallbacks made = callbacks;
        if (made == null) {
            made = new LeaseCallbacks(scheduler());
            callbacks = made;
            made.seed(state == State.HELD ? lease : null, loss);
        }
        return made;
    }

    @Override
    Lease register(Consumer<LeaseCallbacks> registration) {
        lease.executor().execute(() -> registration.accept(callbacks()));
        return this;
    }

    @Override
    <T> Consumer<T> whileHeld(Consumer<T> callback) {
        return event -> {
            if (state == State.HELD) {
                callback.accept(event);
            }
        };
    }

    @Override
    public CompletableFuture<Loss> lost() {
        Loss known = loss;
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<Loss> stage = new CompletableFuture<>();
        lease.executor().execute(stage, () -> callbacks().completeWhenLost(stage));
        return stage;
    }

    // ---- extension and value

    @Override
    CompletableFuture<ExtendOutcome> startExtend(long ttlMillis) {
        owner.checkTtl(ttlMillis);
        CompletableFuture<ExtendOutcome> outcome = new CompletableFuture<>();
        lease.executor().execute(outcome, () -> lease.extend(this, ttlMillis, outcome));
        return outcome;
    }

    @Override
    public Optional<String> value() {
        return Optional.of(value).filter(text -> !text.isEmpty());
    }

    @Override
    CompletableFuture<ExtendOutcome> startWrite(String text) {
        lease.quorum().nodes().valuesAreUsed();
        CompletableFuture<ExtendOutcome> outcome = new CompletableFuture<>();
        lease.executor().execute(outcome, () -> lease.write(this, text, outcome));
        return outcome;
    }

    // ---- the end

    @Override
    CompletableFuture<ReleaseOutcome> startRelease() {
        lease.executor().execute(released, this::endHold);
        return released;
    }

    /** Releases the lease, unless the hold has ended before. */
    void endHold() {
        if (state == State.HELD) {
            boolean inTime = remainingNanos(now()) > 0;
            state = State.RELEASED;
            reportEnd(LeaseEnd.How.RELEASED, inTime);
            owner.released(this, inTime);
        }
    }

    @Override
    CompletableFuture<ReleaseOutcome> startRetention(long nanos) {
        owner.checkTtl(Math.min(Validity.ttlMillis(nanos), DistributedLock.MAX_TTL.toMillis()));
        lease.executor().execute(released, () -> retain(nanos));
        return released;
    }

    private void retain(long nanos) {
        if (state == State.HELD) {
            Retention kept = retention == null ? new Retention(lease, this, since) : retention;
            retention = kept;
            kept.keep(nanos);
        }
    }

    /** Ends the hold because the client is closed: releases the lease, or leaves it to the nodes if it is retained. Runs on the serial executor. */
    void closeClient() {
        Retention kept = retention;
        if (state != State.HELD || kept == null) {
            endHold();
            return;
        }
        kept.stop();
        kept.keepAtNodes().thenRun(this::abandon);
    }

    @Override
    public void abandon() {
        lease.executor().execute(() -> {
            if (state == State.HELD) {
                state = State.RELEASED;
                reportEnd(LeaseEnd.How.KEPT, true);
                owner.abandoned();
                released.complete(ReleaseOutcome.UNCONFIRMED);
            }
        });
    }

    /** Completes the release with its outcome. */
    void completeRelease(ReleaseOutcome outcome) {
        released.complete(outcome);
    }

    @Override
    CompletableFuture<SealOutcome> startSeal(long sealMillis) {
        lease.quorum().nodes().sealsAreUsed();
        lease.executor().execute(sealed, () -> seal(sealMillis));
        return sealed;
    }

    /** Seals the lock, even if the lease is lost: the work has been done all the same. */
    private void seal(long sealMillis) {
        if (state == State.HELD) {
            boolean inTime = remainingNanos(now()) > 0;
            state = State.SEALED;
            reportEnd(LeaseEnd.How.SEALED, inTime);
            owner.sealed(this, inTime, Seal.now(lease.owner(), sealMillis));
        } else if (state == State.LOST) {
            state = State.SEALED;
            lease.release(Seal.now(lease.owner(), sealMillis)).thenAccept(outcome -> completeSeal(outcome, false));
        } else if (state == State.RELEASED) {
            sealed.complete(SealOutcome.RELEASED_BEFORE);
        }
    }

    /** Completes the seal with the outcome of the release that carried it. */
    void completeSeal(ReleaseOutcome outcome, boolean inTime) {
        boolean late = !inTime || outcome == ReleaseOutcome.EXPIRED;
        released.complete(inTime ? outcome : ReleaseOutcome.EXPIRED);
        sealed.complete(
                outcome == ReleaseOutcome.UNCONFIRMED
                        ? SealOutcome.UNCONFIRMED
                        : late ? SealOutcome.SEALED_LATE : SealOutcome.SEALED);
    }
}
