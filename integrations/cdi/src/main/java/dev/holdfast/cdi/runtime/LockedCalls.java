package dev.holdfast.cdi.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.OnBusy;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.locked.CallTerms;
import dev.holdfast.locked.DeferredResults;
import dev.holdfast.locked.LeasedCall;
import dev.holdfast.locked.LeasedStage;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The calls of locked methods. Thread-safe. */
@Singleton
public class LockedCalls {

    /** The priority of the interceptors. That of transactions is later, at 200. */
    static final int PRIORITY = Interceptor.Priority.PLATFORM_BEFORE + 100;

    private static final System.Logger LOG = System.getLogger(LockedCalls.class.getName());

    private final LockedMethods methods;
    private final Instance<Holdfast> holdfast;
    private final Platform platform;
    private final SkippedCalls skipped;

    @Inject
    public LockedCalls(LockedMethods methods, Instance<Holdfast> holdfast, Platform platform, SkippedCalls skipped) {
        this.methods = methods;
        this.holdfast = holdfast;
        this.platform = platform;
        this.skipped = skipped;
    }

    /** Acquires the lock of a method, runs the method, and releases the lock. */
    @Nullable
    Object call(InvocationContext context) throws Exception {
        LockedMethod method = methods.of(context.getMethod());
        DistributedLock lock = method.lock(holdfast.get(), context.getParameters());
        Duration wait = method.waitAtMost(methods.longestWait());
        if (method.shape().result() == ResultKind.UNI) {
            return platform.subscribable(new Pending(this, method, lock, wait, context));
        }
        platform.requireBlockingThread(method.shape());
        Lease outer = method.settings().reentrant() ? LeasedCall.leaseOfThisThread(lock) : null;
        if (outer != null) {
            giveLease(method, context, outer);
            return checked(() -> LeasedCall.underLease(outer, context::proceed));
        }
        if (lock.isHeldByThisThread()) {
            throw new SelfDeadlockException(method.shape().text() + " cannot acquire its lock: lock '" + lock.name()
                    + "' is held by this thread itself. Release it first, or let the outer call be @Locked and"
                    + " set reentrant = true on this one.");
        }
        Acquisition acquisition = acquire(method, lock, wait, context);
        if (acquisition instanceof Acquisition.Refused refused) {
            return skippedOrRefused(method, refused.refusal());
        }
        Lease lease = acquisition.lease();
        giveLease(method, context, lease);
        return checked(() -> method.shape().result() == ResultKind.STAGE
                ? new LeasedStage(method.terms(), lease).run(context::proceed)
                : new LeasedCall(method.terms(), lease).run(() -> complete(method, context.proceed())));
    }

    /** Rejects a result that stands for later work, although its declared type does not show that. */
    private static @Nullable Object complete(LockedMethod method, @Nullable Object result) {
        if (DeferredResults.isDeferred(result)) {
            throw new LockedMethodException(
                    method.shape().text(),
                    "returned a " + Objects.requireNonNull(result).getClass().getName()
                            + ", so its work may run when the lock is free",
                    "Return a CompletableFuture, or a result that is complete on return",
                    null);
        }
        return result;
    }

    /** A call whose lock is not acquired on this thread. */
    private record Pending(
            LockedCalls calls, LockedMethod method, DistributedLock lock, Duration waitFor, InvocationContext context)
            implements PendingCall {

        @Override
        public CallTerms terms() {
            return method.terms();
        }

        @Override
        public @Nullable Object skippedOrRefused(Refusal refusal) {
            return calls.skippedOrRefused(method, refusal);
        }

        @Override
        public @Nullable Object proceed(Lease lease) throws Exception {
            synchronized (context) { // another run has another lease, for the same context
                giveLease(method, context, lease);
                return context.proceed();
            }
        }
    }

    /** Returns the result of a skipped call, and throws the reason if the call is not to be skipped. */
    private @Nullable Object skippedOrRefused(LockedMethod method, Refusal refusal) {
        boolean isSkipped = method.settings().onBusy() == OnBusy.SKIP
                && (refusal.reason() == Refusal.Reason.HELD || refusal.reason() == Refusal.Reason.SEALED);
        if (!isSkipped) {
            throw refusal.exception();
        }
        skipped.count(method.name());
        LOG.log(Level.DEBUG, () -> "Skipped: " + refusal.message());
        return method.shape().result().skipped();
    }

    private static Acquisition acquire(
            LockedMethod method, DistributedLock lock, Duration wait, InvocationContext context)
            throws InterruptedException {
        try {
            Acquisition acquisition = lock.tryAcquire(wait);
            if (acquisition instanceof Acquisition.Held held) {
                method.terms().keepFromTheStart(lock, held.lease());
            }
            return acquisition;
        } catch (InterruptedException e) {
            boolean declared = Arrays.stream(context.getMethod().getExceptionTypes())
                    .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
            if (declared) {
                throw e;
            }
            Thread.currentThread().interrupt();
            throw new HoldfastException("interrupted while waiting for lock '" + lock.name() + "'");
        }
    }

    /** Passes the lease to the method's parameter for it, if there is one. */
    private static void giveLease(LockedMethod method, InvocationContext context, Lease lease) {
        method.shape().leaseParameter().ifPresent(index -> {
            @Nullable Object[] arguments = context.getParameters().clone();
            arguments[index] = lease;
            context.setParameters(arguments);
        });
    }

    /** Runs work that throws nothing but unchecked exceptions and those of the method. */
    private static @Nullable Object checked(LeasedCall.Work work) throws Exception {
        try {
            return work.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
