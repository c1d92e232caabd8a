package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Grant;
import dev.holdfast.internal.quorum.PushTarget;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.quorum.Release;
import dev.holdfast.internal.quorum.VoteSet;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.time.Moment;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A majority of votes from its grant to its end (PROTOCOL §4). {@link LeaseRenewal} keeps it valid. One {@link LeaseHolder} after the other holds it; it has
 * no holder while it lingers or waits for tokens.
 *
 * <p>It knows neither the next holder nor the user's view: it calls only its holder and its {@link Owner}. All steps run on one serial executor, that of the
 * session which owns the lease.
 */
final class QuorumLease implements PushTarget, LeaseRenewal.Listener, TokenSupply.Lease {

    /** The largest number of hand-overs of one lease while another client waits for it. */
    static final int MOST_HAND_OVERS = 16;

    private static final System.Logger LOG = System.getLogger(QuorumLease.class.getName());

    /** The session, which decides what happens to a free lease. */
    interface Owner {

        /** Notifies the owner of a change for the next holder: tokens have arrived or can be requested, or another client waits. */
        void leaseChanged();

        /** Notifies the owner that the lease has more tokens. */
        void tokensRaised(Moment now);

        /** Notifies the owner that the lease is lost. Its holder has already been notified. */
        void leaseLost();

        /** Reports that the lease's timer fired late. */
        void timerLate(long lateMillis);
    }

    private final Quorum quorum;
    private final Grant grant;
    private final SerialExecutor executor;
    private final Owner owner;
    private final LeaseRenewal renewal;
    private @Nullable TokenSupply tokens; // created for the second token
    private @Nullable LeaseValue value; // created for the first value
    private boolean ended;
    private @Nullable LeaseHolder holder;
    private @Nullable Ticket contender;
    private int handOvers; // made while a request of another client waits

    QuorumLease(Quorum quorum, Grant grant, boolean autoExtend, SerialExecutor executor, Owner owner) {
        this.quorum = quorum;
        this.grant = grant;
        this.executor = executor;
        this.owner = owner;
        this.contender = grant.votes().contender();
        this.value = grant.value() == null ? null : new LeaseValue(grant.value());
        this.renewal = new LeaseRenewal(quorum, grant, autoExtend, executor, this);
    }

    /** Starts to receive the nodes' pushes. */
    void begin() {
        votes().register(this);
    }

    // ---- its holders

    /** Gives the lease to its next holder. */
    void giveTo(LeaseHolder next, Moment now) {
        holder = next;
        handOvers += contender == null ? 0 : 1;
        renewal.holderChanged(now);
    }

    /** Returns whether the lease has a holder. Otherwise it lingers, or waits for tokens. */
    boolean isHeld() {
        return holder != null;
    }

    /** Ends the present holder's turn. */
    void endTurn() {
        holder = null;
    }

    /**
     * Returns whether the lease may have another holder. It must not be at risk, so that the next holder finds it as safe as a fresh one. No other client may
     * have waited during too many hand-overs.
     */
    boolean mayBeHandedOver(Moment now) {
        boolean fair = contender == null || handOvers < MOST_HAND_OVERS;
        return !ended && fair && renewal.isSafe(now);
    }

    boolean isContended() {
        return contender != null;
    }

    @Nullable
    Ticket contender() {
        return contender;
    }

    @Override
    public long maxHoldNanos(Moment now) {
        return holder == null ? Long.MAX_VALUE : holder.maxHoldNanos(now);
    }

    // ---- tokens

    /** Returns the token of the first holder. */
    long firstToken() {
        return grant.fence() == 0 ? 0 : grant.fence() - votes().settings().tokens() + 1;
    }

    /** Returns the token of the next holder; {@link #hasToken} must be true. */
    long nextToken() {
        return supply().block().take();
    }

    boolean hasToken() {
        return supply().hasToken();
    }

    /** Makes sure that there is a token for the next holder, and notifies the owner once it is there. Returns false if there will be none. */
    boolean provideTokens(Moment now) {
        return ended || supply().provide(now);
    }

    private TokenSupply supply() {
        TokenSupply made = tokens;
        if (made == null) {
            TokenBlock block = new TokenBlock(grant.fence(), votes().settings().tokens(), grant.acquired());
            block.take(); // the first holder's
            made = new TokenSupply(quorum.timing().scheduler(), executor, block, this);
            tokens = made;
        }
        return made;
    }

    @Override
    public long fence() {
        return tokens == null ? grant.fence() : tokens.block().fence();
    }

    @Override
    public void raise(long fence, Moment now) {
        renewal.raise(fence, now);
    }

    @Override
    public void tokensDue() {
        owner.leaseChanged();
    }

    @Override
    public void raiseRefused() {
        supply().block().stuck = true;
    }

    // ---- what it is

    SerialExecutor executor() {
        return executor;
    }

    Quorum quorum() {
        return quorum;
    }

    private VoteSet votes() {
        return grant.votes();
    }

    String name() {
        return votes().settings().name();
    }

    String resource() {
        return votes().settings().resource();
    }

    LockMode mode() {
        return votes().settings().mode();
    }

    OwnerId owner() {
        return votes().owner();
    }

    /** Lets other clients adopt the lease. Runs on any thread. */
    String share() {
        executor.execute(votes()::share);
        return Adoption.text(votes(), grant.fence());
    }

    /** Returns how long a majority of the votes lasts. Runs on any thread. */
    long validNanos(Moment now) {
        return renewal.validNanos(now);
    }

    @Nullable
    AtRisk risk() {
        return renewal.risk();
    }

    // ---- extensions and the value

    /** Extends the lease for this holder; the outcome is {@link ExtendOutcome#LOST} if this holder no longer has it. */
    void extend(LeaseHolder asking, long ttlMillis, CompletableFuture<ExtendOutcome> outcome) {
        Moment now = quorum.timing().now();
        if (holder != asking || renewal.remainingNanos(now) <= 0) {
            outcome.complete(ExtendOutcome.LOST);
        } else if (renewal.isIdleOrRunLater(() -> extend(asking, ttlMillis, outcome))) {
            renewal.extend(ttlMillis, valueToKeep(), outcome, now);
        }
    }

    /** Writes a value for this holder, with an extension that carries the value. A standing vote keeps all other clients from writing (PROTOCOL §4). */
    void write(LeaseHolder asking, String text, CompletableFuture<ExtendOutcome> outcome) {
        if (holder != asking) {
            outcome.complete(ExtendOutcome.LOST);
        } else {
            LeaseValue known = value == null ? new LeaseValue(null) : value;
            value = known;
            LockValue next =
                    known.next(asking.fencingToken(), text, quorum.timing().ticker());
            write(asking, next, outcome);
        }
    }

    private void write(LeaseHolder asking, LockValue next, CompletableFuture<ExtendOutcome> outcome) {
        Moment now = quorum.timing().now();
        if (holder != asking || renewal.remainingNanos(now) <= 0) {
            outcome.complete(ExtendOutcome.LOST);
        } else if (renewal.isIdleOrRunLater(() -> write(asking, next, outcome))) {
            renewal.extend(renewal.unextendedMillis(now), next, outcome, now);
        }
    }

    /** Returns the lock's value for a new holder; empty if there is none. */
    String valueText() {
        return value == null ? "" : value.text();
    }

    /** Returns the value that every node should keep. Extensions and the release carry it to nodes that may lack it, such as a restarted node. */
    @Override
    public @Nullable LockValue valueToKeep() {
        return value != null && mode().mayWrite() ? value.latest() : null;
    }

    @Override
    public void extended(LeaseExtension by, boolean longer, Moment now) {
        if (!by.update.heal()) {
            supply().block().raised(by.update.floor(), now);
            owner.tokensRaised(now);
        }
        LeaseHolder current = holder;
        LockValue written = by.update.value();
        boolean latest = written != null && value != null && value.confirm(written);
        if (current == null) {
            return;
        }
        if (latest && written != null && current.fencingToken() == written.token()) {
            current.confirmValue(written.text());
        }
        current.clearRisk();
        if (longer) {
            current.notifyExtended(now);
        }
    }

    @Override
    public void extensionEnded() {
        if (!ended && holder == null) {
            owner.leaseChanged();
        }
    }

    @Override
    public void notifyAtRisk(AtRisk event) {
        if (holder != null) {
            holder.notifyAtRisk(event);
        }
    }

    @Override
    public void timerLate(long lateMillis) {
        owner.timerLate(lateMillis);
    }

    // ---- pushes

    /** Handles a push: a request waits behind the lease, or a node has granted from its queue a vote that the majority did not need. */
    @Override
    public void pushed(int node, Push push) {
        if (push instanceof Push.Contended contended) {
            contended(contended.waiter());
        } else {
            votes().keeps(node, push.value());
        }
    }

    @Override
    public void contended(Ticket waiter) {
        if (ended || contender != null) {
            return;
        }
        contender = waiter;
        if (holder != null) {
            holder.notifyContended(waiter);
        } else {
            owner.leaseChanged();
        }
    }

    /** Compares the deadline with the clocks, which may have moved by more than the timer knows. */
    @Override
    public void clockMoved() {
        renewal.check();
    }

    // ---- the end

    @Override
    public void lose(Loss.Reason reason, String detail) {
        Loss event = new Loss(name(), reason, detail);
        LeaseHolder loser = holder;
        if (loser != null) {
            loser.endLost(); // before another client can acquire the lock
        }
        if (votes().isShared()) {
            abandon(); // another client may have extended the lease
        } else {
            release(null);
        }
        if (loser != null) {
            loser.notifyLost(event);
        }
        owner.leaseLost();
        LOG.log(loser == null || votes().isShared() ? Level.DEBUG : Level.WARNING, event.toString());
    }

    /**
     * Leaves the lease to the nodes, which keep it until its votes expire. Until then a vote that a node pushes may belong to a client that has adopted the lease,
     * so this client does not release it.
     */
    void abandon() {
        end();
        long nanos = TimeUnit.MILLISECONDS.toNanos(4 * votes().settings().ttlMillis());
        quorum.timing().scheduler().schedule(nanos, votes()::unregister);
    }

    private void end() {
        ended = true;
        holder = null;
        renewal.end();
    }

    /**
     * Releases the lease at the nodes, which keep the resource closed if there is a seal. A lost lease can be released again with a seal: its votes have
     * expired, but its work was done. An expired lease that other clients may use is left to the nodes.
     */
    CompletableFuture<ReleaseOutcome> release(@Nullable Seal seal) {
        if (seal == null && votes().isShared() && validNanos(quorum.timing().now()) <= 0) {
            abandon(); // as a lost one
            return CompletableFuture.completedFuture(ReleaseOutcome.EXPIRED);
        }
        end();
        return Release.of(votes(), seal, valueToKeep()).whenComplete((outcome, failure) -> votes().unregister());
    }

    @Override
    public String toString() {
        return name() + ", " + mode();
    }
}
