package dev.holdfast.spring.aspect;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.spring.OnLost;
import java.time.Duration;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The calls of a locked method that returns a {@code Mono} or a {@code Flux}. Each subscription acquires the lock without blocking, then calls the
 * method, and releases the lease when the publisher has ended or is cancelled. This class is used only if Reactor is on the class path.
 */
final class ReactiveCalls {

    private final LockedMethod method;
    private final DistributedLock lock;
    private final Duration wait;
    private final SkippedCalls skipped;

    ReactiveCalls(LockedMethod method, DistributedLock lock, Duration wait, SkippedCalls skipped) {
        this.skipped = skipped;
        this.method = method;
        this.lock = lock;
        this.wait = wait;
    }

    Object result(MethodInvocation invocation) {
        Mono<Lease> lease = Mono.fromFuture(() -> lock.tryAcquireAsync(wait), false)
                .flatMap(this::leaseOf)
                .flatMap(this::keepFromTheStart);
        if (method.result() == ResultKind.MONO) {
            return Mono.usingWhen(
                    lease,
                    held -> Mono.from(guarded(invocation, held)),
                    this::letGo,
                    this::letGoAfterFailure,
                    this::letGo);
        }
        return Flux.usingWhen(
                lease, held -> guarded(invocation, held), this::letGo, this::letGoAfterFailure, this::letGo);
    }

    private Mono<Lease> leaseOf(Acquisition acquisition) {
        if (acquisition instanceof Acquisition.Refused refused) {
            return LockedInterceptor.isSkipped(method, refused.refusal(), skipped)
                    ? Mono.empty()
                    : Mono.error(refused.refusal().exception());
        }
        return Mono.just(acquisition.lease());
    }

    private Mono<Lease> keepFromTheStart(Lease lease) {
        return method.atLeast().compareTo(lock.ttl()) <= 0
                ? Mono.just(lease)
                : Mono.fromCompletionStage(() -> lease.extendAsync(LockedInterceptor.atLeast(method)))
                        .thenReturn(lease);
    }

    private Publisher<?> guarded(MethodInvocation invocation, Lease lease) {
        Publisher<?> work = call(((ProxyMethodInvocation) invocation).invocableClone(), lease);
        if (method.onLost() != OnLost.INTERRUPT) {
            return work;
        }
        Mono<Object> loss = Mono.fromCompletionStage(lease.lost())
                .flatMap(event -> Mono.error(new LeaseLostException(event.toString())));
        return work instanceof Mono<?> mono
                ? mono.takeUntilOther(loss)
                : Flux.from(work).takeUntilOther(loss);
    }

    private Publisher<?> call(MethodInvocation invocation, Lease lease) {
        LockedCall.giveLease(method, invocation, lease);
        try {
            Object result = LockedCall.underLease(lease, invocation);
            return result == null ? Mono.empty() : (Publisher<?>) Objects.requireNonNull(result);
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    /** Releases the lease; fails if it was lost before the work ended. */
    private Publisher<?> letGo(Lease lease) {
        return Mono.fromCompletionStage(() -> StageCall.letGo(method, lease))
                .flatMap(inTime -> inTime || method.onLost() == OnLost.IGNORE
                        ? Mono.empty()
                        : Mono.error(
                                new LeaseLostException("lease of '" + lease.name() + "' ended before its work did")));
    }

    private Publisher<?> letGoAfterFailure(Lease lease, @Nullable Throwable failure) {
        return Mono.fromCompletionStage(() -> StageCall.letGo(method, lease));
    }
}
