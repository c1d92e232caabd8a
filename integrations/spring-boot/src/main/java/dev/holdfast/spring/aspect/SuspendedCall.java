package dev.holdfast.spring.aspect;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A call of a locked Kotlin function that suspends. Spring's proxies turn the rest of a call into a {@code Mono}, and await the one that an interceptor
 * returns. The lease is released when the coroutine of the function has ended, which is later than the cancellation of its {@code Mono}. This class is used
 * only if Kotlin is on the class path.
 */
final class SuspendedCall extends ReactiveCall {

    private volatile @Nullable SuspendedWork work;

    SuspendedCall(LockedMethod method, DistributedLock lock, Duration wait, SkippedCalls skipped) {
        super(method, lock, wait, skipped);
    }

    /** The caller's coroutine with another context, which Spring gives to the coroutine of the function. */
    private record Caller(CoroutineContext context, Continuation<Object> caller) implements Continuation<Object> {

        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            caller.resumeWith(result);
        }
    }

    // NullAway: Spring declares that arguments may be null. The compiler of JDK 17 does not see that, and later ones
    // do.
    @Override
    @SuppressWarnings({"unchecked", "NullAway"})
    void prepare(MethodInvocation invocation, Lease lease) {
        SuspendedWork begun = new SuspendedWork(lease);
        work = begun;
        Object[] arguments = invocation.getArguments().clone();
        Continuation<Object> caller = (Continuation<Object>) arguments[arguments.length - 1];
        arguments[arguments.length - 1] = new Caller(caller.getContext().plus(begun), caller);
        ((ProxyMethodInvocation) invocation).setArguments(arguments);
    }

    @Override
    CompletionStage<?> ended() {
        SuspendedWork begun = work;
        return begun == null ? CompletableFuture.completedFuture(true) : begun.ended();
    }
}
