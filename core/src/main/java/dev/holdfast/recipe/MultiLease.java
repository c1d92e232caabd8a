package dev.holdfast.recipe;

import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The leases of a {@link MultiLock}, each with a fencing token of its own. The set is held as long as each of its leases is held. If one is lost, the others
 * stay held until the set is released, so that the work can clean up. Thread-safe.
 */
public interface MultiLease extends AutoCloseable {

    /** Returns the leases, in the order of their locks' names. */
    List<Lease> leases();

    /**
     * Returns the lease of one lock.
     *
     * @throws IllegalArgumentException if no lease is of a lock of this name
     */
    Lease lease(String name);

    /**
     * Returns the {@linkplain Lease#fencingToken fencing token} for the resource that this lock protects.
     *
     * @throws IllegalArgumentException if no lease is of a lock of this name
     */
    default long fencingToken(String name) {
        return lease(name).fencingToken();
    }

    /** Returns whether all leases are valid now. Sends nothing. */
    boolean isHeld();

    /**
     * Checks that all leases are valid now.
     *
     * @throws LeaseLostException if one is lost or released
     */
    void ensureHeld();

    /** Returns how long all leases stay valid unless extended: the shortest {@link Lease#remaining} of all; zero once one lease has ended. */
    Duration remaining();

    /**
     * Registers a callback that runs once, on a worker thread, when the first lease is lost. It never runs if all leases are released in time.
     *
     * @return this
     */
    MultiLease onLost(Consumer<Loss> callback);

    /** Returns a future of the first loss. It completes on a worker thread; it never completes if all leases are released in time. */
    CompletableFuture<Loss> lost();

    /**
     * Extends all leases at the same time, as {@link Lease#extend} does.
     *
     * @return the worst outcome of any lease: {@link ExtendOutcome#LOST} is worse than {@link ExtendOutcome#UNCONFIRMED}, and that is worse than {@link
     *     ExtendOutcome#EXTENDED}
     * @throws InterruptedException if the thread is interrupted while it waits; the leases stay as they are
     */
    ExtendOutcome extend(Duration duration) throws InterruptedException;

    /** Extends all leases as {@link #extend} does, without blocking. The future completes on a worker thread; cancelling it has no effect on the leases. */
    CompletableFuture<ExtendOutcome> extendAsync(Duration duration);

    /**
     * Releases all leases at the same time. Blocks for a round trip, a node timeout at most; an interrupt does not end the call, and the thread's interrupt
     * status stays set. A second call returns the first outcome.
     *
     * @return {@link ReleaseOutcome#RELEASED} if all leases were held until now, {@link ReleaseOutcome#EXPIRED} if one was not, else
     *     {@link ReleaseOutcome#UNCONFIRMED}
     */
    ReleaseOutcome release();

    /** Releases all leases as {@link #release} does, without blocking. The future completes on a worker thread; cancelling it has no effect on the release. */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /** Releases all leases as {@link #release} does, without an exception if a lease had already ended. */
    @Override
    void close();
}
