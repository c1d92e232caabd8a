package dev.holdfast.spring.aspect;

import dev.holdfast.internal.thread.CurrentLease;
import dev.holdfast.internal.thread.LossInterrupt;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.spring.OnLost;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A call of a locked method under its lease, on one thread from its beginning to its end. */
final class LockedCall {

    private static final ThreadLocal<@Nullable LockedCall> CURRENT = new ThreadLocal<>();

    private final LockedMethod method;
    private final Lease lease;
    private final @Nullable LockedCall outer = CURRENT.get();

    LockedCall(LockedMethod method, Lease lease) {
        this.method = method;
        this.lease = lease;
    }

    /** Runs the method, and releases the lease even if the method fails. */
    @Nullable
    Object run(MethodInvocation invocation) throws Throwable {
        giveLease(method, invocation, lease);
        CURRENT.set(this);
        try {
            Object result = method.onLost() == OnLost.INTERRUPT ? interruptible(invocation) : proceed(invocation);
            boolean inTime = letGo();
            if (!inTime && method.onLost() != OnLost.IGNORE) {
                throw new LeaseLostException("lease of '" + lease.name() + "' ended before the method did");
            }
            return result;
        } catch (Throwable e) {
            letGo();
            throw e;
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /**
     * Checks that the leases of all locked calls that this thread is in are held, except calls that ignore a loss.
     *
     * @throws LeaseLostException if a lease was lost
     */
    static void ensureHeld() {
        leasesOfThisThread().forEach(Lease::ensureHeld);
    }

    /** Returns the leases of all locked calls that this thread is in, except calls that ignore a loss. */
    static List<Lease> leasesOfThisThread() {
        List<Lease> leases = new ArrayList<>();
        for (LockedCall call = CURRENT.get(); call != null; call = call.outer) {
            if (call.method.onLost() != OnLost.IGNORE) {
                leases.add(call.lease);
            }
        }
        return leases;
    }

    /** Returns the lease that covers this lock and its mode, of a locked call that this thread is in; null for none. */
    static @Nullable Lease leaseOfThisThread(DistributedLock lock) {
        for (LockedCall call = CURRENT.get(); call != null; call = call.outer) {
            Lease lease = call.lease;
            if (lease.name().equals(lock.name())
                    && (lease.mode() == LockMode.EX || lease.mode() == lock.mode())
                    && lease.isHeld()) {
                return lease;
            }
        }
        return null;
    }

    private @Nullable Object interruptible(MethodInvocation invocation) throws Throwable {
        try (LossInterrupt interrupt = LossInterrupt.ofCurrentThread(lease.lost())) {
            Object result;
            try {
                result = proceed(invocation);
            } catch (Exception e) {
                interrupt.throwIfCauseOf(e);
                throw e;
            }
            interrupt.throwIfLost();
            return result;
        }
    }

    private @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
        return underLease(lease, invocation);
    }

    /** Runs the invocation with this lease as the thread's current lease. */
    @SuppressWarnings("NullAway") // a result may be null, but the invocation's class file does not declare that
    static @Nullable Object underLease(Lease lease, MethodInvocation invocation) throws Throwable {
        return CurrentLease.during(lease, () -> {
            try {
                return invocation.proceed();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new UndeclaredThrowableException(e);
            }
        });
    }

    /** Releases the lease, now or when its minimum time has passed. Returns whether the lease was held until now. */
    private boolean letGo() {
        if (method.atLeast().isZero()) {
            return lease.release() != ReleaseOutcome.EXPIRED;
        }
        boolean held = lease.isHeld();
        lease.releaseAfter(method.atLeast());
        return held;
    }

    /** Passes the lease to the method's parameter for it, if there is one. */
    @SuppressWarnings("NullAway") // as above, for arguments
    static void giveLease(LockedMethod method, MethodInvocation invocation, Lease lease) {
        if (method.leaseParameter() >= 0) {
            @Nullable Object[] arguments = invocation.getArguments().clone();
            arguments[method.leaseParameter()] = lease;
            ((ProxyMethodInvocation) invocation).setArguments(arguments);
        }
    }
}
