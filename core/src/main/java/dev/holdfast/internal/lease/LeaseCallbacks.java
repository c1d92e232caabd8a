package dev.holdfast.internal.lease;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.Loss;
import dev.holdfast.node.Ticket;
import dev.holdfast.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A user's callbacks for one hold of a lease, called on worker threads, one after the other. A {@link LeaseHandle} creates it for the first
 * callback. Accessed only on the lease's serial executor.
 */
final class LeaseCallbacks {

    private final Scheduler scheduler;
    final Signal<AtRisk> atRisk;
    final Signal<Ticket> contended;
    private final Signal<Loss> loss;
    private final Signal<Duration> extended;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();

    LeaseCallbacks(Scheduler scheduler) {
        this.scheduler = scheduler;
        Callbacks callbacks = new Callbacks(scheduler);
        atRisk = new Signal<>(callbacks);
        loss = new Signal<>(callbacks);
        contended = new Signal<>(callbacks);
        extended = new Signal<>(callbacks);
    }

    /**
     * Raises the events that happened before the first callback was registered.
     *
     * @param held the lease, if the user still holds it; otherwise null
     */
    void seed(@Nullable QuorumLease held, @Nullable Loss known) {
        Ticket waiter = held == null ? null : held.contender();
        AtRisk risk = held == null ? null : held.risk();
        if (waiter != null) {
            contended.raise(waiter);
        }
        if (risk != null) {
            atRisk.raise(risk);
        }
        if (known != null) {
            lost(known);
        }
    }

    void onLost(Consumer<Loss> callback) {
        loss.listen(callback);
    }

    void onExtended(Consumer<Duration> callback) {
        extended.listen(callback);
    }

    /** Completes the stage on a worker thread when the lease is lost. */
    void completeWhenLost(CompletableFuture<Loss> stage) {
        lost.thenAccept(event -> Await.completeOnWorker(stage, event, scheduler));
    }

    /** Notifies the callbacks that the lease lasts longer. A callback that is registered later is notified of the next extension. */
    void extended(Duration left) {
        extended.raise(left);
        extended.lower();
    }

    void lost(Loss event) {
        lost.complete(event);
        loss.raise(event);
    }
}
