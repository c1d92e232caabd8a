package dev.holdfast.spring.aspect;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.locked.LeasedCall;
import dev.holdfast.locked.LeasedStage;
import dev.holdfast.spring.OnBusy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;

/** An interceptor that acquires the lock of a {@link dev.holdfast.spring.Locked} method before its call and releases it afterwards. Thread-safe. */
public final class LockedInterceptor implements MethodInterceptor {

    private static final Log LOG = LogFactory.getLog(LockedInterceptor.class);

    private final LockedMethods methods;
    private final Supplier<Holdfast> holdfast;
    private final Supplier<Duration> longestWait;
    private final SkippedCalls skipped;
    private final OpenTransaction openTransaction = OpenTransaction.ifKnown();

    /**
     * Creates an interceptor. It gets the client at the first call, because Spring creates interceptors before the client.
     *
     * @param longestWait how long a call with {@link OnBusy#WAIT} and without its own limit waits
     */
    public LockedInterceptor(
            LockedMethods methods, Supplier<Holdfast> holdfast, Supplier<Duration> longestWait, SkippedCalls skipped) {
        this.skipped = skipped;
        this.methods = methods;
        this.holdfast = holdfast;
        this.longestWait = longestWait;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        if (target instanceof Advised inner && isLockedBy(inner)) {
            return invocation.proceed();
        }
        Class<?> targetClass =
                target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        Method called = LockedCall.method(invocation.getMethod(), targetClass);
        LockedMethod method = methods.of(called, targetClass);
        DistributedLock lock = method.lock(holdfast.get(), target, invocation.getArguments());
        Duration wait = method.waitAtMost(longestWait.get());
        Lease outer = method.reentrant() ? LeasedCall.leaseOfThisThread(lock) : null;
        if (outer != null) {
            LockedCall.giveLease(method, invocation, outer);
            return LockedCall.underLease(outer, invocation);
        }
        openTransaction.warnOf(method, called, targetClass);
        if (method.result() == ResultKind.MONO || method.result() == ResultKind.FLUX) {
            return ReactiveCall.result(method, invocation, () -> new ReactiveCall(method, lock, wait, skipped));
        }
        if (lock.isHeldByThisThread()) {
            throw new SelfDeadlockException(method.traps() + " cannot acquire its lock: lock '" + lock.name()
                    + "' is held by this thread itself. Release it first, or let the outer call be @Locked and"
                    + " set reentrant = true on this one.");
        }
        if (method.result() == ResultKind.SUSPENDED) {
            return ReactiveCall.result(method, invocation, () -> new SuspendedCall(method, lock, wait, skipped));
        }
        Acquisition acquisition = acquire(method, lock, wait, invocation.getMethod());
        if (acquisition instanceof Acquisition.Refused refused) {
            if (isSkipped(method, refused.refusal(), skipped)) {
                return method.result().skipped();
            }
            throw refused.refusal().exception();
        }
        Lease lease = acquisition.lease();
        LockedCall.giveLease(method, invocation, lease);
        return method.result() == ResultKind.STAGE
                ? new LeasedStage(method.terms(), lease).run(invocation::proceed)
                : new LeasedCall(method.terms(), lease).run(() -> method.traps().requireComplete(invocation.proceed()));
    }

    /** Returns whether a bean is within this interceptor already: an application with a proxy creator of its own has two proxies around each bean. */
    private boolean isLockedBy(Advised proxy) {
        return Arrays.stream(proxy.getAdvisors()).anyMatch(advisor -> advisor.getAdvice() == this);
    }

    private static Acquisition acquire(LockedMethod method, DistributedLock lock, Duration wait, Method called)
            throws InterruptedException {
        try {
            Acquisition acquisition = lock.tryAcquire(wait);
            if (acquisition instanceof Acquisition.Held held) {
                method.terms().keepFromTheStart(lock, held.lease());
            }
            return acquisition;
        } catch (InterruptedException e) {
            boolean declared = Arrays.stream(called.getExceptionTypes())
                    .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
            if (declared) {
                throw e;
            }
            Thread.currentThread().interrupt();
            throw new HoldfastException("interrupted while waiting for lock '" + lock.name() + "'");
        }
    }

    /** Returns whether a refused call is skipped, and counts the skipped calls. */
    static boolean isSkipped(LockedMethod method, Refusal refusal, SkippedCalls skippedCalls) {
        boolean skipped = method.onBusy() == OnBusy.SKIP
                && (refusal.reason() == Refusal.Reason.HELD || refusal.reason() == Refusal.Reason.SEALED);
        if (skipped) {
            skippedCalls.count("Locked", method.name());
            if (LOG.isDebugEnabled()) {
                LOG.debug("Skipped: " + refusal.message());
            }
        }
        return skipped;
    }
}
