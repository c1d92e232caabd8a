package dev.holdfast.locked;

import dev.holdfast.internal.thread.CurrentLease;
import dev.holdfast.internal.thread.LossInterrupt;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A call of a locked method under its lease, on one thread from its beginning to its end. */
public final class LeasedCall {

    private static final ThreadLocal<@Nullable LeasedCall> CURRENT = new ThreadLocal<>();

    private final CallTerms terms;
    private final Lease lease;
    private final @Nullable LeasedCall outer = CURRENT.get();

    public LeasedCall(CallTerms terms, Lease lease) {
        this.terms = terms;
        this.lease = lease;
    }

    /** The method itself, or the rest of its interceptors. */
    @FunctionalInterface
    public interface Work {

        /** Calls the method and returns its result. */
        @Nullable
        Object proceed() throws Throwable;
    }

    /**
     * Runs the method, and releases the lease even if the method fails. If the result turns out to be a stage, the lease is released when the stage has
     * completed.
     *
     * @throws LeaseLostException if the lease was lost before the end, unless the terms ignore a loss
     */
    public @Nullable Object run(Work work) throws Throwable {
        CURRENT.set(this);
        try {
            Object result = terms.onLost() == LossEffect.INTERRUPT ? interruptible(work) : underLease(lease, work);
            if (result instanceof CompletionStage<?> stage) {
                return new LeasedStage(terms, lease).until(stage);
            }
            boolean inTime = terms.letGo(lease);
            if (!inTime && terms.failsIfLost()) {
                throw new LeaseLostException("lease of '" + lease.name() + "' ended before the method did");
            }
            return result;
        } catch (Throwable e) {
            terms.letGo(lease);
            throw e;
        } finally {
            leave();
        }
    }

    /** Runs the method as the beginning of the call: the lease stays held when the method returns. */
    @Nullable
    Object begin(Work work) throws Throwable {
        CURRENT.set(this);
        try {
            return underLease(lease, work);
        } finally {
            leave();
        }
    }

    private void leave() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    /** Returns the leases of all locked calls that this thread is in, except calls that ignore a loss. */
    public static List<Lease> leasesOfThisThread() {
        List<Lease> leases = new ArrayList<>();
        for (LeasedCall call = CURRENT.get(); call != null; call = call.outer) {
            if (call.terms.failsIfLost()) {
                leases.add(call.lease);
            }
        }
        return leases;
    }

    /** Returns the lease that covers this lock and its mode, of a locked call that this thread is in; null for none. */
    public static @Nullable Lease leaseOfThisThread(DistributedLock lock) {
        for (LeasedCall call = CURRENT.get(); call != null; call = call.outer) {
            Lease lease = call.lease;
            if (lease.name().equals(lock.name())
                    && (lease.mode() == LockMode.EX || lease.mode() == lock.mode())
                    && lease.isHeld()) {
                return lease;
            }
        }
        return null;
    }

    private @Nullable Object interruptible(Work work) throws Throwable {
        try (LossInterrupt interrupt = LossInterrupt.ofCurrentThread(lease.lost())) {
            Object result;
            try {
                result = underLease(lease, work);
            } catch (Exception e) {
                interrupt.throwIfCauseOf(e);
                throw e;
            }
            interrupt.throwIfLost();
            return result;
        }
    }

    /** Runs the work with this lease as the thread's current lease. */
    @SuppressWarnings("NullAway") // a result may be null; on JDK 17 the compiler does not see that in the class file of
    // CurrentLease
    public static @Nullable Object underLease(Lease lease, Work work) throws Throwable {
        return CurrentLease.during(lease, () -> {
            try {
                return work.proceed();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new UndeclaredThrowableException(e);
            }
        });
    }
}
