package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Attempt;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.lock.Waiting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one session: the one for which the attempt runs, and a {@link LocalQueue} of any further waiters. This class also reports to their
 * observers. Accessed only on the session's serial executor.
 */
final class SessionWaiters {

    /** A factory for the queue of a session. */
    interface QueueFactory {

        LocalQueue newQueue();
    }

    private final Quorum quorum;
    private final QueueFactory factory;
    private @Nullable Waiter contending;
    private @Nullable LocalQueue queue;
    private @Nullable Attempt observed;

    /** Creates an empty set; the factory makes the queue once it is needed. */
    SessionWaiters(Quorum quorum, QueueFactory factory) {
        this.quorum = quorum;
        this.factory = factory;
    }

    /** Returns the waiter for which the attempt runs; null without an attempt. */
    @Nullable
    Waiter contending() {
        return contending;
    }

    /** Makes this the waiter for which the attempt runs. */
    void contend(@Nullable Waiter first) {
        contending = first;
    }

    LocalQueue queue() {
        LocalQueue made = queue == null ? factory.newQueue() : queue;
        queue = made;
        return made;
    }

    /** Returns whether no waiter queues behind the contending one. */
    boolean isQueueEmpty() {
        return queue == null || queue.isEmpty();
    }

    void add(Waiter waiter) {
        waiter.begin();
        queue().add(waiter);
    }

    /** Removes the next waiter from the queue; null if there is none. */
    @Nullable
    Waiter next() {
        return queue == null ? null : queue.poll();
    }

    void remove(Waiter waiter) {
        if (waiter == contending) {
            contending = next();
        } else if (queue != null) {
            queue.remove(waiter);
        }
    }

    /** Returns all waiters, in order. */
    List<Waiter> all() {
        List<Waiter> found = new ArrayList<>();
        if (contending != null) {
            found.add(contending);
        }
        for (Waiter waiter = queue == null ? null : queue.first(); waiter != null; waiter = waiter.after) {
            found.add(waiter);
        }
        return found;
    }

    /** Ends lingering, because the lease is released or lost. */
    void leaseEnded() {
        if (queue != null) {
            queue.stopLingering();
        }
    }

    /** Ends the queue, because the session has ended. */
    void close() {
        if (queue != null) {
            queue.close();
        }
    }

    // ---- reports to observers

    /** Makes the attempt report to the waiters' observers, once there are any. */
    void observe(@Nullable Attempt running) {
        if (running != null && observed != running && isObserved()) {
            observed = running;
            running.observe(state -> {
                if (observed == running) {
                    report(state);
                }
            });
        }
    }

    private boolean isObserved() {
        return (contending != null && contending.isObserved()) || (queue != null && queue.isObserved());
    }

    private void report(Waiting state) {
        if (contending != null) {
            contending.report(state, quorum.timing().now());
        }
        if (queue != null) {
            queue.reportAttempt(state, quorum.timing().now());
        }
    }

    /** Reports to all waiters that they wait behind a lease of their own client. */
    void reportHolder(QuorumLease held) {
        if (queue != null) {
            queue.reportHolder(held, quorum.timing().now());
        }
    }
}
