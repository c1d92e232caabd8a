package dev.holdfast.spring.aspect;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.locked.LeasedCall;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/** The calls of locked methods, as Spring's proxies see them. */
final class LockedCall {

    private LockedCall() {}

    /**
     * Checks that the leases of all locked calls that this thread is in are held, except calls that ignore a loss.
     *
     * @throws LeaseLostException if a lease was lost
     */
    static void ensureHeld() {
        LeasedCall.leasesOfThisThread().forEach(Lease::ensureHeld);
    }

    /** Returns the method of a class that a call runs, with its annotations: that of the interface if the class is a JDK proxy of a library, whose methods are all final. */
    static Method method(Method called, Class<?> targetClass) {
        return Proxy.isProxyClass(targetClass) ? called : AopUtils.getMostSpecificMethod(called, targetClass);
    }

    /** Runs the invocation with this lease as the thread's current lease. */
    static @Nullable Object underLease(Lease lease, MethodInvocation invocation) throws Throwable {
        return LeasedCall.underLease(lease, invocation::proceed);
    }

    /** Passes the lease to the method's parameter for it, if there is one. */
    @SuppressWarnings("NullAway") // an argument may be null, but the invocation's class file does not declare that
    static void giveLease(LockedMethod method, MethodInvocation invocation, Lease lease) {
        method.leaseParameter().ifPresent(index -> {
            @Nullable Object[] arguments = invocation.getArguments().clone();
            arguments[index] = lease;
            ((ProxyMethodInvocation) invocation).setArguments(arguments);
        });
    }
}
