package dev.holdfast.recipe;

import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockAction;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.LockTask;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealOutcome;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A guard for work that is to be done once, such as the handling of a message. The work runs under a lock, and the lock is {@linkplain Lease#seal
 * sealed} when the work has succeeded, so that later callers with the same name learn that it is done.
 *
 * <p>The work is done effectively once, not exactly once. If a worker dies, or loses its lease, between the work and the seal, another worker does the work
 * again. So does a worker after the seal's retention. To rule that out, the store of the result must help: write the result and the lease's fencing token, or
 * the name as a unique key, in one transaction.
 *
 * <p>A guard is an immutable, thread-safe value; {@link dev.holdfast.Holdfast#once} creates it.
 */
public interface OnceGuard {

    /**
     * The outcome of a call: {@link Done}, {@link AlreadyDone} or {@link Busy}.
     *
     * @param <T> the result of the work
     */
    sealed interface Outcome<T extends @Nullable Object> {}

    /**
     * The outcome for a caller that has done the work now.
     *
     * @param value the result of the work
     * @param seal whether later callers will learn that the work is done; {@link SealOutcome#SEALED_LATE} if the lease had ended before the work did, so that
     *     another client may have done the work too
     */
    record Done<T extends @Nullable Object>(T value, SealOutcome seal) implements Outcome<T> {}

    /**
     * The outcome for a caller whose work had already been done.
     *
     * @param by the client that did it, as its leases' {@linkplain Lease#owner owner id} names it: {@code name@host~random}
     * @param ago how long ago the lock was sealed, by the clock of the node that reported it
     */
    record AlreadyDone<T extends @Nullable Object>(String by, Duration ago) implements Outcome<T> {}

    /**
     * The outcome for a caller whose wait ended while another client was doing the work.
     *
     * @param refusal the answer of every node
     */
    record Busy<T extends @Nullable Object>(Refusal refusal) implements Outcome<T> {}

    /**
     * Returns the same guard with changed options of its lock, as in {@code guard.options(o -> o.ttl(ttl))}. The mode is always
     * {@link dev.holdfast.lock.LockMode#EX}.
     *
     * @throws IllegalArgumentException as {@link dev.holdfast.lock.DistributedLock#options(LockOptions)}
     */
    OnceGuard options(UnaryOperator<LockOptions> change);

    /** Returns the same guard with another {@linkplain LockOptions#ttl(Duration) ttl} of its lock, 50 ms to 24 h. */
    default OnceGuard ttl(Duration ttl) {
        return options(options -> options.ttl(ttl));
    }

    /** Does the work unless it has been done, as {@link #call} does, without a result. */
    default <E extends Exception> Outcome<Boolean> run(Duration wait, LockAction<E> action)
            throws E, InterruptedException {
        return call(wait, lease -> {
            action.run(lease);
            return Boolean.TRUE;
        });
    }

    /**
     * Does the work unless it has been done or another client is doing it. The client interrupts the running thread if the lease is lost during the work; work
     * that still succeeds counts as done.
     *
     * @param wait how long to wait for another client that is doing the work, in order to learn whether the work succeeds: 0 or more; with 0, the call returns
     *     {@link Busy} at once
     * @throws NoQuorumException if fewer nodes than a majority answered, so the client cannot know whether the work was done
     * @throws LeaseLostException if the work ended with the {@link InterruptedException} that a loss caused; the lock is not sealed
     * @throws HoldfastClosedException if the client is closed, before or while it waits
     * @throws E what the work throws, unchanged; the lock is not sealed, and the work may be done again at once
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    <T extends @Nullable Object, E extends Exception> Outcome<T> call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException;
}
