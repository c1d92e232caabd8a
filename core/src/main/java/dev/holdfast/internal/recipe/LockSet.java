package dev.holdfast.internal.recipe;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.Scope;
import dev.holdfast.internal.thread.ThreadLeases;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.recipe.MultiAcquisition;
import dev.holdfast.recipe.MultiLease;
import dev.holdfast.recipe.MultiLock;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Acquires locks one after the other in the order of their names. */
public final class LockSet implements MultiLock {

    private final List<DistributedLock> locks;
    private final Ticker ticker;

    /**
     * Makes the set.
     *
     * @throws IllegalArgumentException if there is no lock, or a lock occurs twice
     */
    public LockSet(List<DistributedLock> locks, Ticker ticker) {
        if (locks.isEmpty()) {
            throw new IllegalArgumentException("no locks are given, but a set must have at least one");
        }
        Set<String> names = new HashSet<>();
        for (DistributedLock lock : locks) {
            if (!names.add(lock.name())) {
                throw new IllegalArgumentException(
                        "lock '" + lock.name() + "' is given twice, but may be in a set once");
            }
        }
        this.locks = locks.stream()
                .sorted(Comparator.comparing(DistributedLock::name))
                .toList();
        this.ticker = ticker;
    }

    @Override
    public List<DistributedLock> locks() {
        return locks;
    }

    @Override
    public MultiLock options(UnaryOperator<LockOptions> change) {
        return new LockSet(locks.stream().map(lock -> lock.options(change)).toList(), ticker);
    }

    @Override
    public MultiAcquisition tryAcquire(Duration wait) throws InterruptedException {
        for (DistributedLock lock : locks) {
            if (!wait.isZero() && lock.isHeldByThisThread()) {
                throw new SelfDeadlockException("lock '" + lock.name() + "' of " + this
                        + " is held by this thread itself, so the wait would never end; release it first");
            }
        }
        return Await.orCancel(tryAcquireAsync(wait), MultiAcquisition::close);
    }

    @Override
    public CompletableFuture<MultiLease> acquireAsync(Duration wait) {
        return Await.mapped(tryAcquireAsync(wait), MultiAcquisition::leases, unwanted -> {
            if (unwanted instanceof MultiAcquisition.Held held) {
                held.leases().releaseAsync();
            }
        });
    }

    @Override
    public CompletableFuture<MultiAcquisition> tryAcquireAsync(Duration wait) {
        Attempt attempt = new Attempt(new Patience(wait, ticker));
        attempt.next();
        return attempt.future;
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T call(Duration wait, Task<T, E> task)
            throws E, InterruptedException {
        try (MultiLease leases = acquire(wait)) {
            return Scope.call(
                    "a lease of " + this,
                    leases.lost(),
                    leases::release,
                    () -> ThreadLeases.during(leases.leases(), () -> task.call(leases)));
        }
    }

    @Override
    public String toString() {
        return "MultiLock" + locks.stream().map(DistributedLock::name).toList();
    }

    /**
     * One attempt, which acquires the locks one after the other. Each step sees the effects of the previous one, because the completion of its future starts
     * the next one.
     */
    private final class Attempt {

        private final Patience patience;
        private final List<Lease> held = new ArrayList<>();
        private final CompletableFuture<MultiAcquisition> future = new CompletableFuture<>();
        private volatile @Nullable CompletableFuture<Acquisition> asking;

        Attempt(Patience patience) {
            this.patience = patience;
            future.whenComplete((value, failure) -> {
                CompletableFuture<Acquisition> now = asking;
                if (failure != null && now != null) {
                    now.cancel(true);
                }
            });
        }

        void next() {
            ask(locks.get(held.size()), patience.left()).whenComplete(this::answered);
        }

        private CompletableFuture<Acquisition> ask(DistributedLock lock, Duration wait) {
            CompletableFuture<Acquisition> now = lock.tryAcquireAsync(wait);
            asking = now;
            if (future.isDone()) { // the caller cancelled the future before it could see this attempt
                now.cancel(true);
            }
            return now;
        }

        /** Handles an outcome. The stage that runs this method would swallow an exception, and the caller would wait for ever. */
        private void answered(@Nullable Acquisition acquisition, @Nullable Throwable failure) {
            try {
                goOn(acquisition, failure);
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(e);
                giveBack();
            }
        }

        private void goOn(@Nullable Acquisition acquisition, @Nullable Throwable failure) {
            if (acquisition instanceof Acquisition.Held got) {
                held.add(got.lease());
                if (future.isDone()) {
                    giveBack();
                } else if (held.size() < locks.size()) {
                    next();
                } else {
                    finish();
                }
            } else {
                giveBack();
                if (acquisition instanceof Acquisition.Refused no) {
                    future.complete(new MultiAcquisition.Refused(no.refusal()));
                } else if (failure != null) {
                    future.completeExceptionally(failure);
                }
            }
        }

        /** Finishes the attempt. The first lease may have been lost during the wait for the last one. */
        private void finish() {
            MultiLease all = new LeaseSet(held);
            if (all.isHeld()) {
                if (!future.complete(new MultiAcquisition.Held(all))) {
                    giveBack();
                }
                return;
            }
            int gone = 0;
            while (gone < held.size() - 1 && held.get(gone).isHeld()) {
                gone++;
            }
            giveBack();
            if (patience.left().isZero()) {
                askAfterTheLoss(locks.get(gone));
            } else {
                next();
            }
        }

        /** Asks the nodes for the present holder after a lease was lost and the wait has ended. The nodes report the holder, or that they cannot be reached. */
        private void askAfterTheLoss(DistributedLock gone) {
            ask(gone, Duration.ZERO).whenComplete((said, failure) -> {
                if (said == null) {
                    future.completeExceptionally(failure);
                } else {
                    Await.release(said);
                    List<NodeReport> nodes = said instanceof Acquisition.Refused no
                            ? no.refusal().nodes()
                            : List.of();
                    future.complete(new MultiAcquisition.Refused(
                            new Refusal(gone.name(), Refusal.Reason.LOST, patience.waited(), nodes)));
                }
            });
        }

        private void giveBack() {
            held.forEach(Lease::releaseAsync);
            held.clear();
        }
    }
}
