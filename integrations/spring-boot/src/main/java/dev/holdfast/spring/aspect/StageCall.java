package dev.holdfast.spring.aspect;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.spring.OnLost;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A call of a locked method that returns a stage. It releases the lease when the stage has completed. */
final class StageCall {

    private final LockedMethod method;
    private final Lease lease;
    private final CompletableFuture<@Nullable Object> told = new CompletableFuture<>();

    StageCall(LockedMethod method, Lease lease) {
        this.method = method;
        this.lease = lease;
    }

    /** Calls the method. The returned stage completes like the method's own, but after the lease was released. */
    @Nullable
    Object run(MethodInvocation invocation) throws Throwable {
        LockedCall.giveLease(method, invocation, lease);
        CompletionStage<?> stage;
        try {
            stage = (CompletionStage<?>) LockedCall.underLease(lease, invocation);
        } catch (Throwable e) {
            letGo(method, lease);
            throw e;
        }
        if (stage == null) {
            letGo(method, lease);
            return null;
        }
        if (method.onLost() == OnLost.INTERRUPT) {
            lease.lost().thenAccept(loss -> notifyLost(loss, stage));
        }
        stage.whenComplete(this::ended);
        told.whenComplete((value, failure) -> {
            if (told.isCancelled()) {
                stage.toCompletableFuture().cancel(true);
            }
        });
        return told;
    }

    private void notifyLost(Loss loss, CompletionStage<?> stage) {
        if (told.completeExceptionally(new LeaseLostException(loss.toString()))) {
            stage.toCompletableFuture().cancel(true);
        }
    }

    private void ended(@Nullable Object value, @Nullable Throwable failure) {
        CompletableFuture<Boolean> released = CompletableFuture.completedFuture(lease)
                .thenCompose(held -> letGo(method, held)); // within a stage, since letGo may throw an exception
        released.whenComplete((inTime, unreleased) -> {
            if (failure != null || unreleased != null) {
                told.completeExceptionally(failure != null ? failure : unreleased);
            } else if (!inTime && method.onLost() != OnLost.IGNORE) {
                told.completeExceptionally(
                        new LeaseLostException("lease of '" + lease.name() + "' ended before its work did"));
            } else {
                told.complete(value);
            }
        });
    }

    /** Releases the lease, now or when its minimum time has passed. The result is whether the lease was held until this call. */
    static CompletionStage<Boolean> letGo(LockedMethod method, Lease lease) {
        if (method.atLeast().isZero()) {
            return lease.releaseAsync().thenApply(outcome -> outcome != ReleaseOutcome.EXPIRED);
        }
        boolean held = lease.isHeld();
        lease.releaseAfter(method.atLeast());
        return CompletableFuture.completedFuture(held);
    }
}
