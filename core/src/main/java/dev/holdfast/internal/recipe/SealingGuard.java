package dev.holdfast.internal.recipe;

import dev.holdfast.internal.thread.LossInterrupt;
import dev.holdfast.internal.thread.ThreadLeases;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.LockTask;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.recipe.OnceGuard;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs work under a lock, and seals the lock once the work has succeeded. */
public final class SealingGuard implements OnceGuard {

    private final DistributedLock lock;
    private final Duration retention;

    /** Creates the guard; the caller has checked the retention. */
    public SealingGuard(DistributedLock lock, Duration retention) {
        this.lock = lock.mode(LockMode.EX);
        this.retention = retention;
    }

    @Override
    public OnceGuard options(UnaryOperator<LockOptions> change) {
        return new SealingGuard(lock.options(change), retention);
    }

    @Override
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
