package dev.holdfast.quarkus.runtime;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.locked.LeasedStage;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import jakarta.interceptor.InvocationContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One subscription to the {@code Uni} of a locked method. It acquires the lock without blocking a thread, and calls the method. It releases the lock when the
 * method's own {@code Uni} has ended or the subscription is cancelled.
 */
final class UniCall {

    private final LockedCalls calls;
    private final LockedMethod method;
    private final DistributedLock lock;
    private final UniEmitter<@Nullable Object> emitter;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    UniCall(
            LockedCalls calls,
            LockedMethod method,
            DistributedLock lock,
            UniEmitter<? super @Nullable Object> emitter) {
        this.calls = calls;
        this.method = method;
        this.lock = lock;
        this.emitter = uncheckedCast(emitter);
    }

    @SuppressWarnings("unchecked") // an emitter of a supertype accepts objects
    private static UniEmitter<@Nullable Object> uncheckedCast(UniEmitter<? super @Nullable Object> emitter) {
        return (UniEmitter<@Nullable Object>) emitter;
    }

    void start(Duration wait, InvocationContext context) {
        Executor executor = CallerThreads.executor();
        CompletableFuture<Acquisition> attempt = lock.tryAcquireAsync(wait);
        emitter.onTermination(() -> ended.complete(null));
        ended.thenRun(() -> attempt.cancel(true));
        attempt.whenCompleteAsync(
                (acquisition, failure) -> {
                    if (failure != null) {
                        emitter.fail(causeOf(failure));
                    } else if (acquisition instanceof Acquisition.Refused refused) {
                        refuse(refused);
                    } else {
                        begin(acquisition.lease(), context, executor);
                    }
                },
                executor);
    }

    private void refuse(Acquisition.Refused refused) {
        try {
            emitter.complete(calls.skippedOrRefused(method, refused.refusal()));
        } catch (RuntimeException e) {
            emitter.fail(e);
        }
    }

    private void begin(Lease lease, InvocationContext context, Executor executor) {
        if (!method.terms().outlastTtlOf(lock)) {
            run(lease, context);
            return;
        }
        lease.extendAsync(method.terms().atLeastInMillis())
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            if (failure != null) {
                                lease.releaseAsync();
                                emitter.fail(causeOf(failure));
                            } else {
                                run(lease, context);
                            }
                        },
                        executor);
    }

    private void run(Lease lease, InvocationContext context) {
        if (ended.isDone()) {
            lease.releaseAsync();
            return;
        }
        CompletionStage<?> stage;
        try {
            stage = (CompletionStage<?>) new LeasedStage(method.terms(), lease).run(() -> work(lease, context));
        } catch (Throwable e) {
            emitter.fail(e);
            return;
        }
        if (stage == null) {
            emitter.complete(null);
            return;
        }
        stage.whenComplete((item, failure) -> {
            if (failure == null) {
                emitter.complete(item);
            } else {
                emitter.fail(causeOf(failure));
            }
        });
        ended.thenRun(() -> stage.toCompletableFuture().cancel(true));
    }

    private @Nullable Object work(Lease lease, InvocationContext context) throws Exception {
        Uni<?> result;
        synchronized (context) { // another subscription has another lease, for the same context
            LockedCalls.giveLease(method, context, lease);
            result = (Uni<?>) context.proceed();
        }
        return result == null ? null : result.subscribeAsCompletionStage();
    }

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
