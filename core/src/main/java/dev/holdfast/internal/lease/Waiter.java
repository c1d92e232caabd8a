package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.lock.Waiting;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request of a caller for a lease, with its settings, its time limit and its outcome.
 *
 * <p>A wait ends with a grant, a refusal of the nodes, its own time limit, a cancellation, or when the client closes. A waiter without a time limit also ends
 * when no majority of nodes has answered for the client's {@code noQuorumTimeout}.
 */
final class Waiter implements ClientLeases.Pending {

    final AttemptSettings settings;
    private final long waitNanos; // Long.MAX_VALUE for no limit
    final LockOptions options;
    final Moment since;
    private final @Nullable WaitObserver waitObserver;
    private final LeaseObserver observer;

    /** The lease that it adopts instead of acquiring one; null for none. */
    @Nullable
    Adoption adoption;

    /** The session in which it waits; it may be moved to another one. */
    private volatile @Nullable LockSession session;

    private final CompletableFuture<Acquisition> outcome = new CompletableFuture<>();
    private volatile boolean cancelled;

    // ---- accessed only on the session's serial executor

    @Nullable
    Waiter before;

    @Nullable
    Waiter after;

    private boolean waiting;
    private @Nullable TimeLimit limit;

    Waiter(
            AttemptSettings settings,
            long waitNanos,
            LockOptions options,
            Moment since,
            LeaseObserver observer,
            @Nullable WaitObserver waitObserver) {
        this.settings = settings;
        this.waitNanos = waitNanos;
        this.options = options;
        this.since = since;
        this.observer = observer;
        this.waitObserver = waitObserver;
    }

    /** Returns whether the request waits at all. */
    boolean waits() {
        return waitNanos > 0;
    }

    /** Returns whether only the nodes, its caller or the client can end its wait. */
    boolean hasNoLimit() {
        return waitNanos == Long.MAX_VALUE;
    }

    /** Returns whether its attempt goes on if no node grants its vote now: the request waits, and its time limit has not been reached. */
    boolean isPatient() {
        return waits() && (limit == null || limit.isRunning());
    }

    void moveTo(LockSession next) {
        session = next;
    }

    boolean isIn(LockSession asking) {
        return session == asking;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Returns whether the request waits in its session now: it has arrived there, and has no outcome yet. */
    boolean isWaiting() {
        return waiting;
    }

    /** Begins to wait in its session. */
    void begin() {
        waiting = true;
    }

    /** Starts its time limit, if it has one. */
    void startLimit(Timing timing, SerialExecutor executor, Runnable reached) {
        if (waiting && waits() && !hasNoLimit()) {
            limit = new TimeLimit(timing, executor, reached);
            limit.start(timing.now(), waitNanos);
        }
    }

    private void end() {
        waiting = false;
        if (limit != null) {
            limit.cancel();
        }
        if (waitObserver != null) {
            waitObserver.close();
        }
    }

    /** Reports this state to the observer of the wait, if there is one, with the time for which this waiter has waited. */
    void report(Waiting state, Moment now) {
        if (waitObserver != null) {
            Duration waited = Duration.ofNanos(since.nanosUntil(now));
            waitObserver.report(
                    new Waiting(state.lock(), state.place(), state.holder(), waited, state.nodes(), state.owner()));
        }
    }

    boolean isObserved() {
        return waitObserver != null;
    }

    void grant(LeaseHandle lease) {
        end();
        try {
            lease.observe(observer, since);
        } finally { // the caller waits for the outcome, even if an observer throws
            outcome.complete(new Acquisition.Held(lease));
        }
    }

    void refuse(Refusal.Reason reason, List<NodeReport> reports, Moment now) {
        refuse(reason, reports, null, now);
    }

    void refuse(Refusal.Reason reason, List<NodeReport> reports, @Nullable SealedWork seal, Moment now) {
        end();
        Duration waited = Duration.ofNanos(since.nanosUntil(now));
        Refusal refusal = new Refusal(settings.name(), reason, waited, reports, seal);
        try {
            observer.refused(refusal);
        } finally {
            outcome.complete(new Acquisition.Refused(refusal));
        }
    }

    @Override
    public CompletableFuture<Acquisition> outcome() {
        return outcome;
    }

    @Override
    public Acquisition await() throws InterruptedException {
        LockSession at = session;
        return at == null ? Await.interruptibly(outcome) : at.await(outcome);
    }

    @Override
    public void cancel() {
        cancelled = true;
        LockSession at = session;
        if (at != null) {
            at.cancel(this);
        }
        outcome.thenAccept(Await::release);
    }
}
