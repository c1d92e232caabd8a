package dev.holdfast.recipe;

import dev.holdfast.internal.thread.LossInterrupt;
import dev.holdfast.internal.thread.ThreadLeases;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockAction;
import dev.holdfast.lock.LockTask;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.lock.SealedWork;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work that is to be done once, by whoever comes first: it is done under a lock, and the lock is {@linkplain Lease#seal sealed} when it has
 * succeeded, so that whoever comes later with the same name finds it done. An immutable value, thread-safe;
 * {@link dev.holdfast.Holdfast#once} makes it.
 *
 * <p>Effectively once, not exactly once: a worker that dies, or loses its lease, between the work and the seal leaves work that will be done
 * again; and what is sealed is forgotten after the retention. For more, the sink must help: write the result and the lease's fencing token, or
 * the name itself as a unique key, in one transaction.
 */
public final class OnceGuard {

    private final DistributedLock lock;
    private final Duration retention;

    /** Made by {@link dev.holdfast.Holdfast#once}. */
    public OnceGuard(DistributedLock lock, Duration retention) {
        this.lock = lock;
        this.retention = retention;
    }

    /**
     * What came of it.
     *
     * @param <T> what the work gives
     */
    public sealed interface Outcome<T extends @Nullable Object> {}

    /**
     * The work was done now, by this caller.
     *
     * @param value what it gave
     * @param seal whether later ones will know; {@link SealOutcome#SEALED_LATE} if the lease had ended before the work did, so that another
     *     may have done it too
     */
    public record Done<T extends @Nullable Object>(T value, SealOutcome seal) implements Outcome<T> {}

    /**
     * The work had been done before.
     *
     * @param by the client that did it, as its leases' {@linkplain Lease#owner owner id} names it: {@code name@host~random}
     * @param ago how long ago it was sealed, by the clock of the node that told it
     */
    public record AlreadyDone<T extends @Nullable Object>(String by, Duration ago) implements Outcome<T> {}

    /**
     * Another is at it, and was for as long as this caller was willing to wait.
     *
     * @param refusal who, node by node
     */
    public record Busy<T extends @Nullable Object>(Refusal refusal) implements Outcome<T> {}

    /** The same with a lock of this {@linkplain DistributedLock#ttl ttl}. */
    public OnceGuard ttl(Duration ttl) {
        return new OnceGuard(lock.ttl(ttl), retention);
    }

    /** {@link #call} without a result. */
    public <E extends Exception> Outcome<Boolean> run(Duration wait, LockAction<E> action)
            throws E, InterruptedException {
        return call(wait, lease -> {
            action.run(lease);
            return Boolean.TRUE;
        });
    }

    /**
     * Does the work if it was not done, and nobody else is at it. The running thread is interrupted when the lease is lost meanwhile; work
     * that ends well all the same counts as done.
     *
     * @param wait how long to wait for another that is at it, to see whether it succeeds; 0 to skip the work then
     * @throws NoQuorumException if fewer nodes than a majority answered: nobody knows whether it was done
     * @throws LeaseLostException if the work ended with the {@link InterruptedException} that a loss caused; it is not sealed
     * @throws E what the work throws, unharmed; it is not sealed, and may be done again at once
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public <T extends @Nullable Object, E extends Exception> Outcome<T> call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException {
        Acquisition acquisition = lock.tryAcquire(wait);
        if (acquisition instanceof Acquisition.Refused refused) {
            return notNow(refused.refusal());
        }
        T value;
        try (Lease lease = acquisition.lease();
                LossInterrupt interrupt = LossInterrupt.ofCurrentThread(lease.lost())) {
            try {
                value = ThreadLeases.during(List.of(lease), () -> task.call(lease));
            } catch (Exception e) {
                interrupt.throwIfCauseOf(e);
                throw e;
            }
            return new Done<>(value, lease.seal(retention));
        }
    }

    private <T extends @Nullable Object> Outcome<T> notNow(Refusal refusal) {
        return switch (refusal.reason()) {
            case SEALED -> {
                SealedWork work = Objects.requireNonNull(refusal.seal());
                yield new AlreadyDone<>(work.client(), work.ago());
            }
            case HELD -> new Busy<>(refusal);
            case NO_QUORUM, LOST, CANCELLED, CLOSED -> throw refusal.exception();
        };
    }

    @Override
    public String toString() {
        return "OnceGuard[" + lock.name() + ", remembered for " + retention + "]";
    }
}
