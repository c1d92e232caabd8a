package dev.holdfast.quarkus.runtime;

import dev.holdfast.cdi.runtime.PendingCall;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.locked.LeasedStage;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
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

    private final PendingCall call;
    private final UniEmitter<@Nullable Object> emitter;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    UniCall(PendingCall call, UniEmitter<? super @Nullable Object> emitter) {
        this.call = call;
        this.emitter = uncheckedCast(emitter);
    }

    @SuppressWarnings("unchecked") // an emitter of a supertype accepts objects
    private static UniEmitter<@Nullable Object> uncheckedCast(UniEmitter<? super @Nullable Object> emitter) {
        return (UniEmitter<@Nullable Object>) emitter;
    }

    void start() {
        Executor executor = CallerThreads.executor();
        CompletableFuture<Acquisition> attempt = call.lock().tryAcquireAsync(call.waitFor());
        emitter.onTermination(() -> ended.complete(null));
        ended.thenRun(() -> attempt.cancel(true));
        attempt.whenCompleteAsync(
                (acquisition, failure) -> {
                    if (failure != null) {
                        emitter.fail(causeOf(failure));
                    } else if (acquisition instanceof Acquisition.Refused refused) {
                        refuse(refused);
                    } else {
                        begin(acquisition.lease(), executor);
                    }
                },
                executor);
    }

    private void refuse(Acquisition.Refused refused) {
        try {
            emitter.complete(call.skippedOrRefused(refused.refusal()));
        } catch (RuntimeException e) {
            emitter.fail(e);
        }
    }

    private void begin(Lease lease, Executor executor) {
        if (!call.terms().outlastTtlOf(call.lock())) {
            run(lease);
            return;
        }
        lease.extendAsync(call.terms().atLeastInMillis())
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            if (failure != null) {
                                lease.releaseAsync();
                                emitter.fail(causeOf(failure));
                            } else {
                                run(lease);
                            }
                        },
                        executor);
    }

    private void run(Lease lease) {
        if (ended.isDone()) {
            lease.releaseAsync();
            return;
        }
        CompletionStage<?> stage;
        try {
            stage = (CompletionStage<?>) new LeasedStage(call.terms(), lease).run(() -> work(lease));
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

    private @Nullable Object work(Lease lease) throws Exception {
        Uni<?> result = (Uni<?>) call.proceed(lease);
        return result == null ? null : result.subscribeAsCompletionStage();
    }

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
