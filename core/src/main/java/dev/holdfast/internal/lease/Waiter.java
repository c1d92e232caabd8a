package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Somebody of this client who wants a lock. */
final class Waiter implements LeaseKeeper.Pending {

    final AttemptSettings settings;
    final LeaseSettings leaseSettings;
    final Moment since;
    private final LeaseObserver observer;

    /** Where it waits; it may be sent on to another one. */
    private volatile @Nullable LocalQueue queue;

    private final CompletableFuture<LeaseKeeper.Outcome> outcome = new CompletableFuture<>();
    private volatile boolean cancelled;

    // ---- touched by the queue's serial executor only

    boolean inLine;

    @Nullable
    Waiter before;

    @Nullable
    Waiter after;

    @Nullable
    Timer timer;

    Waiter(AttemptSettings settings, LeaseSettings leaseSettings, Moment since, LeaseObserver observer) {
        this.settings = settings;
        this.leaseSettings = leaseSettings;
        this.since = since;
        this.observer = observer;
    }

    boolean waits() {
        return settings.waitNanos() > 0;
    }

    boolean hasNoLimit() {
        return settings.waitNanos() == Long.MAX_VALUE;
    }

    void isSentTo(LocalQueue next) {
        queue = next;
    }

    boolean isAt(LocalQueue asking) {
        return queue == asking;
    }

    boolean isCancelled() {
        return cancelled;
    }

    void isGranted(Hold lease) {
        stopTimer();
        try {
            lease.isObserved(observer, since);
        } finally { // whatever an observer does, somebody waits for this
            outcome.complete(new LeaseKeeper.Outcome(lease, null));
        }
    }

    void isRefused(Refusal.Reason reason, List<NodeReport> reports, Moment now) {
        isRefused(reason, reports, null, now);
    }

    void isRefused(Refusal.Reason reason, List<NodeReport> reports, @Nullable SealedWork seal, Moment now) {
        stopTimer();
        Duration waited = Duration.ofNanos(since.nanosUntil(now));
        Refusal refusal = new Refusal(settings.name(), reason, waited, reports, seal);
        try {
            observer.refused(refusal);
        } finally {
            outcome.complete(new LeaseKeeper.Outcome(null, refusal));
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel();
        }
    }

    @Override
    public CompletableFuture<LeaseKeeper.Outcome> outcome() {
        return outcome;
    }

    @Override
    public LeaseKeeper.Outcome await() throws InterruptedException {
        LocalQueue at = queue;
        return at == null ? Await.interruptibly(outcome) : at.await(outcome);
    }

    @Override
    public void cancel() {
        cancelled = true;
        LocalQueue at = queue;
        if (at != null) {
            at.cancel(this);
        }
        outcome.thenAccept(made -> {
            if (made.lease() != null) {
                made.lease().releaseAsync();
            }
        });
    }
}
