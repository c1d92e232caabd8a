package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Attempt;
import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.quorum.Grant;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One client's use of one lock, from the first waiter until the lease is back at the nodes: an attempt, then the lease that it wins (PROTOCOL §4, §7).
 *
 * <p>A waiter without other waiters needs only this session. The second waiter of a shared session adds a {@link LocalQueue}, which orders the waiters. Calls
 * go from here to the queue, the attempt and the {@link QuorumLease}; these call back through their listeners. All steps run on one serial executor, including
 * those of the attempt and the lease.
 */
final class LockSession implements Attempt.Listener, LeaseTurns.Session, SessionWaiters.QueueFactory {

    private final ClientLeases client;
    private final Quorum quorum;
    private final boolean shared;
    private final LockOptions options;
    private final SerialExecutor executor = new SerialExecutor();
    private AttemptSettings settings;
    private final SessionWaiters waiters;
    private @Nullable Attempt attempt;
    private @Nullable LeaseTurns turns; // set while there is a lease
    private boolean closed;
    private boolean ended;
    private @Nullable CompletableFuture<Void> whenEnded;
    private volatile boolean spins; // whether the lease is handed over within microseconds

    /**
     * Creates a session without an attempt.
     *
     * @param shared whether other waiters may join
     */
    LockSession(ClientLeases client, Quorum quorum, Waiter first, boolean shared) {
        this.client = client;
        this.quorum = quorum;
        this.settings = first.settings;
        this.options = first.options;
        this.shared = shared;
        this.waiters = new SessionWaiters(quorum, this);
    }

    /** Returns whether the leases of this session suit a waiter that shares leases, so that it may join. */
    boolean suits(Waiter waiter) {
        LockOptions wanted = waiter.options;
        return wanted.ttl().equals(options.ttl())
                && wanted.maxHold().equals(options.maxHold())
                && wanted.label().equals(options.label())
                && wanted.linger().equals(options.linger());
    }

    /** Returns the key of this session among those of its client. */
    Object key() {
        return shared ? settings.resource() : this;
    }

    private Moment now() {
        return quorum.timing().now();
    }

    // ---- arriving

    void enter(Waiter waiter) {
        waiter.moveTo(this);
        executor.execute(waiter.outcome(), () -> arrive(waiter));
    }

    private void arrive(Waiter waiter) {
        if (closed || waiter.isCancelled()) {
            Refusal.Reason reason = closed ? Refusal.Reason.CLOSED : Refusal.Reason.CANCELLED;
            waiter.refuse(reason, LocalReports.nodes(quorum, null, now()), now());
            endIfUnused();
        } else if (ended) {
            client.enter(waiter);
        } else if (attempt == null && turns == null) {
            waiter.begin();
            startLimit(waiter);
            startAttempt(waiter);
        } else {
            join(waiter);
        }
    }

    private void startLimit(Waiter waiter) {
        waiter.startLimit(quorum.timing(), executor, () -> limitReached(waiter));
    }

    /** Adds a waiter behind another waiter or holder of this client, unless the request does not wait. */
    private void join(Waiter waiter) {
        LeaseTurns held = turns;
        if (waiter.waits()) {
            waiters.add(waiter);
            if (held != null) {
                held.leaseChanged();
            }
            startLimit(waiter);
            waiters.observe(attempt);
            reportHolder();
        } else if (held == null) {
            client.enterAlone(waiter);
        } else if (!held.lease().isHeld() && waiters.isQueueEmpty()) {
            waiters.add(waiter);
            held.passOn();
        } else {
            waiter.refuse(Refusal.Reason.HELD, localReports(), now());
        }
    }

    @Override
    public LocalQueue newQueue() {
        return new LocalQueue(quorum, executor, options.linger().toNanos(), this::releaseIfFree);
    }

    @Override
    public LocalQueue queue() {
        return waiters.queue();
    }

    private void releaseIfFree() {
        if (turns != null) {
            turns.releaseIfFree();
        }
    }

    // ---- the attempt

    private void startAttempt(Waiter first) {
        if (first.adoption != null) {
            lease(first.adoption.grant(quorum, executor, settings), first);
            return;
        }
        waiters.contend(first);
        boolean several = shared && (!options.linger().isZero() || !waiters.isQueueEmpty());
        int tokens = several
                ? client.firstBlocks()
                        .take(settings.resource(), quorum.timing().ticker().nanos())
                : 1;
        settings = settings.with(first.waits(), tokens); // the waiters' own limits end the attempt
        attempt = Attempt.start(quorum, settings, options.label(), executor, this);
        waiters.observe(attempt);
    }

    @Override
    public void won(Grant grant) {
        lease(grant, attemptEnded());
        continueOrEnd();
    }

    @Override
    public void refused(Refusal refusal) {
        refuse(attemptEnded(), refusal);
        continueOrEnd();
    }

    /** Returns the waiter for which the attempt was made; null if that waiter has left. */
    private @Nullable Waiter attemptEnded() {
        attempt = null;
        Waiter first = waiters.contending();
        waiters.contend(null);
        return first;
    }

    private void lease(Grant grant, @Nullable Waiter first) {
        LeaseTurns made = new LeaseTurns(client, quorum, grant, options, executor, this);
        if (first == null) {
            made.lease().release(null);
            return;
        }
        turns = made;
        made.begin(first, grant.acquired());
        client.watchForSuspension();
        if (closed) {
            closeNow();
        } else {
            made.leaseChanged();
        }
    }

    /** Refuses all waiters for a reason that concerns the lock or the client, and only the first one for any other reason. */
    private void refuse(@Nullable Waiter first, Refusal refusal) {
        boolean all = closed || refusal.reason() == Refusal.Reason.SEALED || refusal.reason() == Refusal.Reason.CLOSED;
        Refusal.Reason reason = closed ? Refusal.Reason.CLOSED : refusal.reason();
        Moment now = now();
        for (Waiter waiter = first; waiter != null; waiter = all ? waiters.next() : null) {
            waiter.refuse(reason, refusal.nodes(), refusal.seal(), now);
        }
    }

    /**
     * Refuses the waiters without a limit, since no majority of nodes has answered for too long. Waiters with a limit continue to wait, and keep the attempt
     * and its ticket.
     */
    @Override
    public void starved() {
        Attempt running = attempt;
        if (running == null) {
            return;
        }
        List<Waiter> all = waiters.all();
        List<Waiter> unlimited = new ArrayList<>(all);
        unlimited.removeIf(waiter -> !waiter.hasNoLimit());
        if (unlimited.size() == all.size() && !all.isEmpty()) {
            unlimited.remove(0); // the end of the attempt refuses it; others may join until then
            running.cancel(Refusal.Reason.NO_QUORUM);
        }
        Refusal refusal = running.refusal();
        for (Waiter waiter : unlimited) {
            waiters.remove(waiter);
            waiter.refuse(Refusal.Reason.NO_QUORUM, refusal.nodes(), now());
        }
    }

    // ---- the lease

    @Override
    public boolean mayHandOver() {
        return shared && !closed && (!options.linger().isZero() || !waiters.isQueueEmpty());
    }

    @Override
    public boolean hasWaiters() {
        return !waiters.isQueueEmpty();
    }

    @Override
    public void handedOver(boolean quickly) {
        spins = quickly;
    }

    @Override
    public void leaseEnded(LeaseTurns ended) {
        if (turns == ended) {
            turns = null;
            spins = false;
            waiters.leaseEnded();
            continueOrEnd();
        }
    }

    /** Compares the lease's deadline with the clocks, which may have moved by more than the timers know. */
    void checkClocks() {
        executor.execute(() -> {
            if (turns != null) {
                turns.lease().clockMoved();
            }
        });
    }

    // ---- leaving

    /** Handles the time limit of a waiter. A contending waiter that is alone waits for the first round of answers, however short its limit is. */
    private void limitReached(Waiter waiter) {
        Attempt running = attempt;
        if (!waiter.isWaiting()) {
            return;
        }
        if (running != null && waiter == waiters.contending() && (waiters.isQueueEmpty() || !running.hasHeardAll())) {
            running.expire();
            return;
        }
        leave(waiter, running == null ? Refusal.Reason.HELD : running.refusal().reason());
    }

    void cancel(Waiter waiter) {
        executor.execute(() -> {
            if (!waiter.isIn(this)) {
                waiter.cancel();
            } else if (waiter.isWaiting()) {
                leave(waiter);
            }
        });
    }

    private void leave(Waiter waiter) {
        Attempt running = attempt;
        if (running != null && waiter == waiters.contending() && (waiters.isQueueEmpty() || !waiter.isPatient())) {
            running.cancel(Refusal.Reason.CANCELLED); // an attempt that is about to end must not refuse another waiter
            return;
        }
        leave(waiter, Refusal.Reason.CANCELLED);
    }

    /** Refuses a waiter while others go on. The lease may have been kept for that waiter alone, and the waiters behind it have moved up. */
    private void leave(Waiter waiter, Refusal.Reason reason) {
        waiters.remove(waiter);
        waiter.refuse(
                reason, attempt == null ? localReports() : attempt.refusal().nodes(), now());
        if (turns != null) {
            turns.passOn();
        }
        reportHolder();
    }

    private List<NodeReport> localReports() {
        return LocalReports.nodes(quorum, turns == null ? null : turns.lease(), now());
    }

    @Override
    public void reportHolder() {
        if (turns != null) {
            waiters.reportHolder(turns.lease());
        }
    }

    // ---- the end

    /** Continues with the next waiter or ends the session, after an attempt or a lease has ended. */
    private void continueOrEnd() {
        if (attempt == null && turns == null) {
            Waiter first = waiters.next();
            if (first != null) {
                startAttempt(first);
            }
        }
        endIfUnused();
    }

    private void endIfUnused() {
        if (attempt == null && turns == null && !ended) {
            ended = true;
            waiters.close();
            client.remove(this);
            if (whenEnded != null) {
                whenEnded.complete(null);
            }
        }
    }

    /** Refuses all waiters, and releases the lease. The future completes when the session holds nothing. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        executor.execute(() -> {
            closed = true;
            CompletableFuture<Void> end = whenEnded == null ? new CompletableFuture<>() : whenEnded;
            whenEnded = end;
            end.thenRun(() -> done.complete(null));
            if (ended) {
                end.complete(null);
            } else {
                closeNow();
            }
        });
        return done;
    }

    private void closeNow() {
        Attempt running = attempt;
        if (running != null) {
            running.cancel(Refusal.Reason.CLOSED);
            return;
        }
        for (Waiter first = waiters.next(); first != null; first = waiters.next()) {
            first.refuse(Refusal.Reason.CLOSED, LocalReports.nodes(quorum, null, now()), now());
        }
        if (turns != null) {
            turns.close();
        }
        endIfUnused();
    }

    /** Blocks the calling thread until there is an outcome. Threads spin only here. */
    Acquisition await(CompletableFuture<Acquisition> outcome) throws InterruptedException {
        if (spins) {
            client.spin().spin(outcome);
        }
        return Await.interruptibly(outcome);
    }
}
