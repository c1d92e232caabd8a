package dev.holdfast.locked;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A call of a locked method that returns a stage. It releases the lease when the stage has completed. */
public final class LeasedStage {

    private final CallTerms terms;
    private final Lease lease;
    private final CompletableFuture<@Nullable Object> told = new CompletableFuture<>();

    public LeasedStage(CallTerms terms, Lease lease) {
        this.terms = terms;
        this.lease = lease;
    }

    /** Calls the method. The returned stage completes like the method's own, but after the lease was released. */
    public @Nullable Object run(LeasedCall.Work work) throws Throwable {
        CompletionStage<?> stage;
        try {
            stage = (CompletionStage<?>) new LeasedCall(terms, lease).begin(work);
        } catch (Throwable e) {
            terms.letGoAsync(lease);
            throw e;
        }
        if (stage == null) {
            terms.letGoAsync(lease);
            return null;
        }
        return until(stage);
    }

    /** Returns a stage that completes like this one, but after the lease was released. */
    CompletionStage<@Nullable Object> until(CompletionStage<?> stage) {
        if (terms.onLost() == LossEffect.INTERRUPT) {
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
                .thenCompose(terms::letGoAsync); // within a stage, since letGoAsync may throw an exception
        released.whenComplete((inTime, unreleased) -> {
            if (failure != null || unreleased != null) {
                told.completeExceptionally(failure != null ? failure : unreleased);
            } else if (!inTime && terms.failsIfLost()) {
                told.completeExceptionally(
                        new LeaseLostException("lease of '" + lease.name() + "' ended before its work did"));
            } else {
                told.complete(value);
            }
        });
    }
}
