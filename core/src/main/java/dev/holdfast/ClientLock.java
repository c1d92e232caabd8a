package dev.holdfast;

import dev.holdfast.internal.lease.Adoption;
import dev.holdfast.internal.lease.ClientLeases;
import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.CurrentLease;
import dev.holdfast.internal.thread.Scope;
import dev.holdfast.internal.thread.ThreadLockView;
import dev.holdfast.internal.thread.ThreadReadWriteLockView;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.LockTask;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.lock.ThreadLock;
import dev.holdfast.lock.ThreadReadWriteLock;
import dev.holdfast.node.AcquireRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A lock of a {@link Holdfast} client. */
final class ClientLock implements DistributedLock {

    private final Holdfast holdfast;
    private final String name;
    private final String resource;
    private final LockOptions options;
    private final AttemptSettings attempts; // of attempts that wait

    ClientLock(Holdfast holdfast, String name, String resource, LockOptions options) {
        this.holdfast = holdfast;
        this.name = name;
        this.resource = resource;
        this.options = options;
        long ttlMillis = options.ttl().toMillis();
        AcquireRequest.Terms terms =
                new AcquireRequest.Terms(ttlMillis, Math.min(options.waiterTtl().toMillis(), ttlMillis), 1);
        this.attempts = new AttemptSettings(
                name, resource, options.mode(), terms, true, holdfast.nodeTimeoutNanos(options.ttl()));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LockOptions options() {
        return options;
    }

    @Override
    public DistributedLock options(LockOptions changed) {
        holdfast.requireFitting(changed.ttl());
        return new ClientLock(holdfast, name, resource, changed);
    }

    // ---- acquiring

    @Override
    public Acquisition tryAcquire(Duration wait) throws InterruptedException {
        if (!wait.isZero() && isHeldByThisThread()) {
            throw new SelfDeadlockException(
                    "lock '" + name + "' is held by this thread itself, in a mode that " + mode()
                            + " conflicts with, so the wait would never end; release it first, or use"
                            + " asReentrantLock()");
        }
        ClientLeases.Pending pending = start(wait);
        try {
            return requireOpen(pending.await());
        } catch (InterruptedException e) {
            pending.cancel();
            throw e;
        }
    }

    @Override
    public boolean isHeldByThisThread() {
        return holdfast.leases().isBlockedByThisThread(resource, options.mode());
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(Duration wait) {
        return async(wait, Acquisition::lease);
    }

    @Override
    public CompletableFuture<Acquisition> tryAcquireAsync(Duration wait) {
        return async(wait, acquisition -> acquisition);
    }

    @Override
    public CompletableFuture<Lease> adoptAsync(String adoption) {
        Adoption parsed = new Adoption(adoption, holdfast.admin().nodeNames().size());
        return Await.onWorker(
                holdfast.admin()
                        .surveyOfServers((node, index) -> node.inspect(resource), HoldfastAdmin::silent)
                        .thenCompose(
                                answers -> holdfast.leases().adopt(attempts.with(false, 1), options, parsed, answers)),
                holdfast.timing().scheduler());
    }

    private <T> CompletableFuture<T> async(Duration wait, Function<Acquisition, T> result) {
        ClientLeases.Pending pending = start(wait);
        CompletableFuture<Acquisition> outcome = new CompletableFuture<>();
        pending.outcome().whenComplete((acquisition, bug) -> {
            if (acquisition == null) {
                outcome.completeExceptionally(bug);
            } else {
                Await.completeOnWorker(outcome, acquisition, holdfast.timing().scheduler());
            }
        });
        CompletableFuture<T> future =
                Await.mapped(outcome, acquisition -> result.apply(requireOpen(acquisition)), Await::release);
        future.whenComplete((value, failure) -> {
            if (failure != null) {
                pending.cancel();
            }
        });
        return future;
    }

    private ClientLeases.Pending start(Duration wait) {
        Durations.requireNotNegative("wait", wait);
        long waitNanos = Durations.saturatedNanos(wait);
        return holdfast.leases().acquire(attempts.with(waitNanos > 0, attempts.tokens()), waitNanos, options);
    }

    /**
     * Returns the acquisition, or throws an exception if the client is closed: calling a closed client is the caller's mistake, not an outcome.
     */
    private static Acquisition requireOpen(Acquisition acquisition) {
        if (acquisition instanceof Acquisition.Refused no && no.refusal().reason() == Refusal.Reason.CLOSED) {
            throw no.refusal().exception();
        }
        return acquisition;
    }

    // ---- a scope

    @Override
    public <T extends @Nullable Object, E extends Exception> T call(Duration wait, LockTask<T, E> task)
            throws E, InterruptedException {
        try (Lease lease = acquire(wait)) {
            return Scope.call(
                    "lease of '" + name + "'",
                    lease.lost(),
                    lease::release,
                    () -> CurrentLease.during(lease, () -> task.call(lease)));
        }
    }

    // ---- as java.util.concurrent knows it

    @Override
    public ThreadLock asLock() {
        return new ThreadLockView(this, false);
    }

    @Override
    public ThreadLock asReentrantLock() {
        return new ThreadLockView(this, true);
    }

    @Override
    public ThreadReadWriteLock asReadWriteLock() {
        return new ThreadReadWriteLockView(this, false);
    }

    @Override
    public ThreadReadWriteLock asReentrantReadWriteLock() {
        return new ThreadReadWriteLockView(this, true);
    }

    // ---- looking

    @Override
    public LockStatus status() throws InterruptedException {
        return holdfast.admin().status(name);
    }

    @Override
    public CompletableFuture<LockStatus> statusAsync() {
        return holdfast.admin().statusAsync(name);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name + ", " + options.mode() + ", ttl " + DurationText.exact(options.ttl()) + "]";
    }
}
