package dev.holdfast.election;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A candidate's stand for election, which lasts until the candidacy is closed: the candidate waits in the queue, leads, and queues again. {@link
 * Election#stand} makes it. Thread-safe.
 */
public interface Candidacy extends AutoCloseable {

    /** Returns the election in which the candidate stands. */
    Election election();

    /** Returns the present leadership; empty unless the candidate {@linkplain Leadership#isLeader leads} now. Sends nothing. */
    Optional<Leadership> leadership();

    /**
     * Ends the candidacy. A leader steps down, as {@link Leadership#stepDown} says. Blocks until the lock is released, for a ttl at most; an interrupt does not
     * end the wait, and the thread's interrupt status stays set. A call from one of the candidate's own callbacks does not wait. A second call has no effect.
     */
    @Override
    void close();

    /**
     * Returns a future that completes on a worker thread when the candidacy has ended: it was closed, or its client was. A candidate that only waits
     * learns from it that the client is closed. Cancelling the future has no effect on the candidacy.
     */
    CompletableFuture<Void> ended();

    /** Ends the candidacy as {@link #close} does, without blocking. The future completes on a worker thread when the lock is released. */
    CompletableFuture<Void> closeAsync();
}
