package dev.holdfast.spring.aspect;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.spring.OnLost;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One subscription to a locked method that returns a {@code Mono} or a {@code Flux}. The subscription acquires the lock without blocking, then calls the
 * method, and releases the lease when the publisher has ended or is cancelled. This class is used only if Reactor is on the class path.
 */
class ReactiveCall {

    private final LockedMethod method;
    private final DistributedLock lock;
    private final Duration wait;
    private final SkippedCalls skipped;
    private final AtomicBoolean decided =
            new AtomicBoolean(); // that the work runs, or that the subscriber has cancelled before it
    private volatile @Nullable CompletableFuture<Acquisition> attempt;

    ReactiveCall(LockedMethod method, DistributedLock lock, Duration wait, SkippedCalls skipped) {
        this.skipped = skipped;
        this.method = method;
        this.lock = lock;
        this.wait = wait;
    }

    /** Returns the result of a locked method, which makes a call for each subscription. */
    static Publisher<?> result(LockedMethod method, MethodInvocation invocation, Supplier<ReactiveCall> calls) {
        return method.result() == ResultKind.FLUX
                ? Flux.defer(() -> calls.get().flux(invocation))
                : Mono.defer(() -> calls.get().mono(invocation));
    }

    private Mono<?> mono(MethodInvocation invocation) {
        return Mono.usingWhen(
                        lease(),
                        held -> Mono.from(guarded(invocation, held)),
                        this::letGo,
                        this::letGoAfterFailure,
                        this::letGo)
                .onErrorMap(ReactiveCall::fromRelease)
                .doOnCancel(this::abandon);
    }

    private Flux<?> flux(MethodInvocation invocation) {
        return Flux.usingWhen(
                        lease(), held -> guarded(invocation, held), this::letGo, this::letGoAfterFailure, this::letGo)
                .onErrorMap(ReactiveCall::fromRelease)
                .doOnCancel(this::abandon);
    }

    /** Returns the loss that the release has noticed, which Reactor wraps; returns any other failure unchanged. */
    private static Throwable fromRelease(Throwable failure) {
        return failure.getClass() == RuntimeException.class && failure.getCause() instanceof LeaseLostException lost
                ? lost
                : failure;
    }

    private Mono<Lease> lease() {
        return Mono.fromFuture(this::attempt, false).flatMap(this::leaseOf).flatMap(this::keepFromTheStart);
    }

    private CompletableFuture<Acquisition> attempt() {
        CompletableFuture<Acquisition> begun = lock.tryAcquireAsync(wait);
        attempt = begun;
        return begun;
    }

    /** Releases the lease of a subscriber that cancels before the work begins, even if the nodes grant it at the same moment. */
    private void abandon() {
        CompletableFuture<Acquisition> begun = attempt;
        if (decided.compareAndSet(false, true) && begun != null) {
            begun.cancel(true);
            begun.whenComplete((acquisition, failure) -> {
                if (acquisition instanceof Acquisition.Held held) {
                    held.lease().releaseAsync();
                }
            });
        }
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
        return method.terms().outlastTtlOf(lock)
                ? Mono.fromCompletionStage(
                                () -> lease.extendAsync(method.terms().atLeastInMillis()))
                        .doOnError(failure -> lease.releaseAsync())
                        .thenReturn(lease)
                : Mono.just(lease);
    }

    private Publisher<?> guarded(MethodInvocation invocation, Lease lease) {
        if (!decided.compareAndSet(false, true)) {
            lease.releaseAsync();
            return Mono.empty();
        }
        Publisher<?> work = call(((ProxyMethodInvocation) invocation).invocableClone(), lease);
        if (method.onLost() != OnLost.INTERRUPT) {
            return work;
        }
        Mono<Loss> loss =
                Mono.fromCompletionStage(lease.lost()); // its value cancels the work, which an error would not do
        return work instanceof Mono<?> mono
                ? mono.map(Object.class::cast).takeUntilOther(loss).switchIfEmpty(failureIfLost(lease))
                : Flux.from(work).map(Object.class::cast).takeUntilOther(loss).concatWith(failureIfLost(lease));
    }

    private static Mono<Object> failureIfLost(Lease lease) {
        return Mono.defer(
                () -> lease.lost().isDone() ? Mono.error(new LeaseLostException(lossOf(lease))) : Mono.empty());
    }

    private Publisher<?> call(MethodInvocation invocation, Lease lease) {
        LockedCall.giveLease(method, invocation, lease);
        prepare(invocation, lease);
        try {
            Object result = LockedCall.underLease(lease, invocation);
            return result == null ? Mono.empty() : (Publisher<?>) Objects.requireNonNull(result);
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    /** Changes the arguments of a call that runs under this lease. */
    void prepare(MethodInvocation invocation, Lease lease) {}

    /** Returns a stage that completes when no work of the publisher runs any more. */
    CompletionStage<?> ended() {
        return CompletableFuture.completedFuture(true);
    }

    private CompletionStage<Boolean> letGoAtTheEnd(Lease lease) {
        return ended().thenCompose(end -> method.terms().letGoAsync(lease));
    }

    /** Releases the lease; fails if it was lost before the work ended. */
    private Publisher<?> letGo(Lease lease) {
        return Mono.fromCompletionStage(() -> letGoAtTheEnd(lease))
                .flatMap(inTime -> inTime || method.onLost() == OnLost.IGNORE
                        ? Mono.empty()
                        : Mono.error(new LeaseLostException(lossOf(lease))));
    }

    private static String lossOf(Lease lease) {
        return lease.lost().isDone()
                ? lease.lost().join().toString()
                : "lease of '" + lease.name() + "' ended before its work did";
    }

    private Publisher<?> letGoAfterFailure(Lease lease, @Nullable Throwable failure) {
        return Mono.fromCompletionStage(() -> letGoAtTheEnd(lease));
    }
}
