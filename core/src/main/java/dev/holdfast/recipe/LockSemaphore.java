package dev.holdfast.recipe;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockAction;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.LockTask;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.SelfDeadlockException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore that admits at most {@code n} holders at the same time. It consists of n numbered places, each a lock. So a permit is a {@link Lease} with
 * the guarantees of a lock: a ttl, extension, notification of a loss, and a fencing token (of its place).
 *
 * <p>An attempt that finds no free place waits at a gate, which is one more lock. The waiter that holds the gate queues for all places at once, and gets the
 * first one that is released. While the gate is held, newcomers get no released place, so no waiter starves; waiters are served in the order in which they
 * reach the gate.
 *
 * <p>The places are the locks {@code name#0} to {@code name#(n - 1)}, the gate is {@code name#gate}. If clients disagree on n, the largest counts. A semaphore
 * is an immutable, thread-safe value; {@link dev.holdfast.Holdfast#semaphore} creates it.
 */
public interface LockSemaphore {

    /** Returns the name of the semaphore. */
    String name();

    /** Returns how many holders the semaphore admits at the same time, 1 to 1,000. */
    int permits();

    /**
     * Returns the same semaphore with changed options of its locks, as in {@code semaphore.options(o -> o.label("import"))}. {@link LockOptions#maxHold}
     * changes the permits and not the gate. The mode is always {@link dev.holdfast.lock.LockMode#EX}, and permits never {@linkplain LockOptions#linger linger}.
     *
     * @throws IllegalArgumentException as {@link DistributedLock#options(LockOptions)}
     */
    LockSemaphore options(UnaryOperator<LockOptions> change);

    /** Returns the same semaphore with permits of another {@linkplain LockOptions#ttl(Duration) ttl}, 50 ms to 24 h. */
    default LockSemaphore ttl(Duration ttl) {
        return options(options -> options.ttl(ttl));
    }

    /** Returns the same semaphore with permits that have a {@linkplain LockOptions#maxHold(Duration) longest hold}, 50 ms or more. */
    default LockSemaphore maxHold(Duration maxHold) {
        return options(options -> options.maxHold(maxHold));
    }

    /**
     * Acquires a permit, waiting for up to {@code wait}; it is held on return. Releasing the lease returns the permit.
     *
     * @param wait 0 or more; {@link DistributedLock#FOREVER} for no limit
     * @throws LockTimeoutException if no permit was released in time
     * @throws NoQuorumException if fewer nodes than a majority gave an answer that counts
     * @throws HoldfastClosedException if the client is closed before the call or during the wait
     * @throws SelfDeadlockException if {@code wait} is not 0 and the thread itself holds all permits, through calls of {@link #call} that enclose this one
     * @throws InterruptedException if the thread is interrupted; no permit is kept
     */
    default Lease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).lease();
    }

    /** Acquires a permit without a limit to the wait; see {@link #acquire(Duration)} and {@link DistributedLock#acquire()}. */
    default Lease acquire() throws InterruptedException {
        return acquire(DistributedLock.FOREVER);
    }

    /**
     * Acquires a permit if one is free now. Blocks for one round trip if the first place that this call tries is free. Otherwise the call asks for the state of
     * the other places, many at once, in at most 13 round trips for 1,000 places.
     */
    default Acquisition tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /** Acquires a permit as {@link #acquire(Duration)} does, and returns a refusal as a value instead of throwing it. */
    Acquisition tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Acquires a permit as {@link #acquire(Duration)} does, without blocking.
     *
     * @return completes on a worker thread, with the exceptions of {@link #acquire(Duration)} as causes. Cancelling it, or failing it as
     *     {@link CompletableFuture#orTimeout} does, ends the attempt and releases what it has acquired.
     */
    CompletableFuture<Lease> acquireAsync(Duration wait);

    /** Acquires a permit as {@link #acquireAsync} does, with a refusal as a value. */
    CompletableFuture<Acquisition> tryAcquireAsync(Duration wait);

    /** Does work under a permit, as {@link #call} does, without a result. */
    default <E extends Exception> void run(Duration wait, LockAction<E> action) throws E, InterruptedException {
        call(wait, permit -> {
            action.run(permit);
            return Boolean.TRUE;
        });
    }

    /**
     * Acquires a permit, does the work, and releases the permit, however the work ends. The client interrupts the running thread if the permit is lost during
     * the work.
     *
     * @throws LeaseLostException if the permit was lost during the work, unless the work threw another exception; it replaces an {@link InterruptedException}
     *     that the loss caused
     * @throws E what the work throws, unchanged
     * @throws InterruptedException as {@link #acquire(Duration)}
     */
    <T extends @Nullable Object, E extends Exception> T call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException;
}
