package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.Waiting;
import dev.holdfast.time.Moment;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one client behind its holder or its contending waiter, and the rules for handing the lease over to them (PROTOCOL §7). Waiters receive the
 * lease in the order of their arrival, each with its own token, and not at another client's expense. The queue also keeps a lease that lingers.
 *
 * <p>A {@link LockSession} creates the queue for its second waiter, or for a lease that lingers. Accessed only on the session's serial executor.
 */
final class LocalQueue {

    private final Quorum quorum;
    private final long lingerNanos;
    private final WaiterQueue waiters = new WaiterQueue();
    private final TimeLimit linger;
    private int observed; // waiters with an observer

    /**
     * Creates an empty queue.
     *
     * @param lingered runs when the lease has lingered for long enough
     */
    LocalQueue(Quorum quorum, SerialExecutor executor, long lingerNanos, Runnable lingered) {
        this.quorum = quorum;
        this.lingerNanos = lingerNanos;
        this.linger = new TimeLimit(quorum.timing(), executor, lingered);
    }

    // ---- the waiters

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    @Nullable
    Waiter first() {
        return waiters.first();
    }

    void add(Waiter waiter) {
        waiters.add(waiter);
        observed += waiter.isObserved() ? 1 : 0;
    }

    void remove(Waiter waiter) {
        waiters.remove(waiter);
        observed -= waiter.isObserved() ? 1 : 0;
    }

    /** Removes the first waiter; null if there is none. */
    @Nullable
    Waiter poll() {
        Waiter first = waiters.first();
        if (first != null) {
            remove(first);
        }
        return first;
    }

    boolean isObserved() {
        return observed > 0;
    }

    // ---- the free lease

    /**
     * Hands the free lease over to the first waiter. Keeps it until there is a token for that waiter, or while it lingers.
     *
     * @param grant grants the lease to a waiter that has left the queue
     * @return false if the lease must be released at the nodes
     */
    boolean handOver(QuorumLease free, BiConsumer<Waiter, Moment> grant) {
        Moment now = quorum.timing().now();
        if (!free.mayBeHandedOver(now)) {
            return false;
        }
        Waiter first = waiters.first();
        if (first == null) {
            return linger(free, now);
        }
        if (!free.provideTokens(now)) {
            return false;
        }
        if (free.hasToken()) {
            remove(first);
            linger.stop();
            grant.accept(first, now);
        }
        return true;
    }

    private boolean linger(QuorumLease free, Moment now) {
        if (lingerNanos == 0 || free.isContended()) {
            return false;
        }
        if (!linger.isRunning()) { // not again after an extension, or the lease would linger while extended
            linger.start(now, lingerNanos);
        }
        return free.provideTokens(now);
    }

    /** Ends lingering, because the lease is released or lost. */
    void stopLingering() {
        linger.stop();
    }

    /** Ends the queue. */
    void close() {
        linger.cancel();
    }

    // ---- reports to observers

    /** Reports to every waiter that it waits behind a lease of its own client. */
    void reportHolder(QuorumLease held, Moment now) {
        if (observed > 0) {
            reportAll(LocalReports.waiting(quorum, held, now), now);
        }
    }

    /** Reports to every waiter the state of its client's attempt. The first waiter here is the next one after the contending waiter. */
    void reportAttempt(Waiting attempt, Moment now) {
        if (observed > 0) {
            reportAll(at(attempt, attempt.place() == 0 ? 0 : attempt.place() + 1), now);
        }
    }

    private void reportAll(Waiting ofFirst, Moment now) {
        Waiting state = ofFirst;
        for (Waiter waiter = waiters.first(); waiter != null; waiter = waiter.after) {
            waiter.report(state, now);
            state = at(state, state.place() == 0 ? 0 : state.place() + 1);
        }
    }

    private static Waiting at(Waiting state, int position) {
        return new Waiting(state.lock(), position, state.holder(), state.waited(), state.nodes(), state.owner());
    }
}
