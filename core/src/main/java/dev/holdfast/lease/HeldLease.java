package dev.holdfast.lease;

import dev.holdfast.AtRisk;
import dev.holdfast.DistributedLock;
import dev.holdfast.ExtendOutcome;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockMode;
import dev.holdfast.Loss;
import dev.holdfast.ReleaseOutcome;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Ticket;
import dev.holdfast.quorum.Extension;
import dev.holdfast.quorum.Grant;
import dev.holdfast.quorum.Mailbox;
import dev.holdfast.quorum.PushTarget;
import dev.holdfast.quorum.Quorum;
import dev.holdfast.quorum.Release;
import dev.holdfast.quorum.Validity;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A majority of votes, kept: renewed at a third of the remaining validity, tried again until it ends, and its risk and loss told on its own
 * deadline (PROTOCOL §4, "Extension" and "Release"). One timer for each lease, no thread; all steps run in one mailbox.
 */
final class HeldLease implements Lease, PushTarget {

    private static final System.Logger LOG = System.getLogger(HeldLease.class.getName());
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LATE_NANOS = 100 * NANOS_PER_MILLI;
    private static final long LONGEST_RETRY_NANOS = 1_000 * NANOS_PER_MILLI;

    private enum Phase {
        HELD,
        LOST,
        RELEASED,
    }

    private final Quorum quorum;
    private final Grant grant;
    private final LeaseSettings settings;
    private final LongConsumer ttlUsed;
    private final Consumer<HeldLease> ended;
    private final Deadline maxHold;
    private final Mailbox mailbox = new Mailbox();
    private final Callbacks callbacks;
    private final Signal<AtRisk> atRisk;
    private final Signal<Loss> loss;
    private final Signal<Ticket> contended;
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();
    private final CompletableFuture<ReleaseOutcome> released = new CompletableFuture<>();

    private volatile Phase phase = Phase.HELD;
    private volatile Deadline validity;
    private long renewedNanos; // how long was left when it was last renewed
    private Moment nextExtension;
    private @Nullable Renewal renewal;
    private boolean complete; // whether the votes have had their full ttl
    private String failure = "";
    private @Nullable Timer timer;
    private Moment wakeUp;
    private long plannedNanos;

    HeldLease(Quorum quorum, Grant grant, LeaseSettings settings, LongConsumer ttlUsed, Consumer<HeldLease> ended) {
        this.quorum = quorum;
        this.grant = grant;
        this.settings = settings;
        this.ttlUsed = ttlUsed;
        this.ended = ended;
        this.maxHold = new Deadline(grant.acquired(), settings.maxHoldNanos());
        this.callbacks = new Callbacks(quorum.timing().scheduler());
        this.atRisk = new Signal<>(callbacks);
        this.loss = new Signal<>(callbacks);
        this.contended = new Signal<>(callbacks);
        this.validity = grant.validity();
        this.complete = !grant.isShort();
        Moment now = quorum.timing().now();
        this.wakeUp = now;
        this.nextExtension = now;
        renewed(now);
    }

    /** From now on it is renewed, and told of pushes. */
    void begin() {
        quorum.register(grant.attempt(), this);
        mailbox.run(() -> {
            arm();
            Ticket waiter = grant.contender();
            if (waiter != null) {
                tellContended(waiter);
            }
        });
    }

    // ---- what it is

    @Override
    public String name() {
        return grant.settings().name();
    }

    @Override
    public LockMode mode() {
        return grant.settings().mode();
    }

    @Override
    public long fencingToken() {
        return grant.fence();
    }

    @Override
    public String owner() {
        return grant.owner().toString();
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(
                phase == Phase.HELD ? Math.max(remainingNanos(quorum.timing().now()), 0) : 0);
    }

    @Override
    public boolean isHeld() {
        return phase == Phase.HELD && remainingNanos(quorum.timing().now()) > 0;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            Loss known = lost.getNow(null);
            throw new LeaseLostException(
                    known != null
                            ? known.toString()
                            : "lease of '" + name() + "' is "
                                    + (phase == Phase.RELEASED ? "released" : "lost: its time ran out"));
        }
    }

    private long remainingNanos(Moment now) {
        return Math.min(validity.remainingNanos(now), maxHold.remainingNanos(now));
    }

    @Override
    public String toString() {
        return "Lease[" + name() + ", " + mode() + ", token " + fencingToken() + ", " + phase + "]";
    }

    // ---- its clock

    private void renewed(Moment now) {
        renewedNanos = Math.max(remainingNanos(now), 0);
        nextExtension = now;
        failure = "";
        atRisk.lower();
        plannedNanos = Math.max(validity.remainingNanos(now), 0) / 3;
    }

    private void arm() {
        if (timer != null) {
            timer.cancel();
        }
        if (phase != Phase.HELD) {
            return;
        }
        Moment now = quorum.timing().now();
        long left = remainingNanos(now);
        long next = left - lossMarginNanos();
        if (!atRisk.isRaised()) {
            next = Math.min(next, left - renewedNanos / 2);
        }
        if (renewal == null && wantsExtension(now)) {
            next = Math.min(next, plannedNanos - nextExtension.nanosUntil(now));
        }
        long delay = Math.max(next, 0);
        wakeUp = now;
        timer = quorum.timing().scheduler().schedule(delay, () -> mailbox.run(() -> tick(delay)));
    }

    /** The loss is told a little early, so that it is told in time: a hundredth of the ttl, 1 to 20 ms. */
    private long lossMarginNanos() {
        return Math.min(
                Math.max(grant.settings().ttlMillis() * NANOS_PER_MILLI / 100, NANOS_PER_MILLI), 20 * NANOS_PER_MILLI);
    }

    private boolean wantsExtension(Moment now) {
        boolean worthwhile = validity.remainingNanos(now) < maxHold.remainingNanos(now);
        return worthwhile && (settings.autoExtend() || !complete);
    }

    /** Looks at the clocks again, because they may have moved more than the timer knows. */
    void poke() {
        mailbox.run(() -> {
            if (phase == Phase.HELD) {
                look();
            }
        });
    }

    private void tick(long plannedDelay) {
        if (phase != Phase.HELD) {
            return;
        }
        long late = wakeUp.nanosUntil(quorum.timing().now()) - plannedDelay;
        if (late > LATE_NANOS) {
            LOG.log(
                    Level.WARNING,
                    "The renewal of {0} ran {1} ms late: this process was paused, or has too little CPU",
                    name(),
                    late / NANOS_PER_MILLI);
        }
        look();
    }

    private void look() {
        Moment now = quorum.timing().now();
        long left = remainingNanos(now);
        if (left <= lossMarginNanos()) {
            boolean tooLong = maxHold.remainingNanos(now) <= lossMarginNanos();
            lose(tooLong ? Loss.Reason.MAX_HOLD : Loss.Reason.EXPIRED, tooLong ? "" : failure);
            return;
        }
        if (!atRisk.isRaised() && left <= renewedNanos / 2) {
            atRisk.raise(new AtRisk(name(), Duration.ofNanos(left), riskDetail(now)));
        }
        if (renewal == null && wantsExtension(now) && nextExtension.nanosUntil(now) >= plannedNanos) {
            renewal = new Renewal(grant.settings().ttlMillis(), null);
            renewal.start(now);
        }
        arm();
    }

    private String riskDetail(Moment now) {
        if (!failure.isEmpty()) {
            return failure;
        }
        if (!wantsExtension(now)) {
            return settings.autoExtend() ? "the longest hold allowed is nearly over" : "it is not extended by itself";
        }
        return "its extension is late";
    }

    // ---- extension

    @Override
    public ExtendOutcome extend(Duration duration) throws InterruptedException {
        return Await.interruptibly(startExtend(duration));
    }

    @Override
    public CompletionStage<ExtendOutcome> extendAsync(Duration duration) {
        return Await.onWorker(startExtend(duration), quorum.timing().scheduler());
    }

    private CompletableFuture<ExtendOutcome> startExtend(Duration duration) {
        long ttlMillis = DistributedLock.requireTtl("duration", duration);
        ttlUsed.accept(ttlMillis);
        CompletableFuture<ExtendOutcome> outcome = new CompletableFuture<>();
        mailbox.run(() -> extend(ttlMillis, outcome));
        return outcome;
    }

    private void extend(long ttlMillis, CompletableFuture<ExtendOutcome> outcome) {
        Moment now = quorum.timing().now();
        Renewal running = renewal;
        if (phase != Phase.HELD || remainingNanos(now) <= 0) {
            outcome.complete(ExtendOutcome.LOST);
        } else if (running != null) { // one at a time
            running.done.thenRun(() -> mailbox.run(() -> extend(ttlMillis, outcome)));
        } else {
            renewal = new Renewal(ttlMillis, outcome);
            renewal.start(now);
        }
    }

    /** One extension; there is never a second one before this one has succeeded or failed. */
    private final class Renewal implements Extension.Listener {

        private final long ttlMillis;
        private final @Nullable CompletableFuture<ExtendOutcome> outcome;
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        Renewal(long ttlMillis, @Nullable CompletableFuture<ExtendOutcome> outcome) {
            this.ttlMillis = ttlMillis;
            this.outcome = outcome;
        }

        /** Nothing is asked for beyond the longest hold, but for the drift that will be deducted. */
        void start(Moment now) {
            long longestMillis = Validity.ttlMillis(maxHold.remainingNanos(now));
            Extension.start(quorum, grant, Math.min(ttlMillis, longestMillis), mailbox, this);
        }

        @Override
        public void extended(Deadline newValidity) {
            Moment now = quorum.timing().now();
            if (phase == Phase.HELD && remainingNanos(now) > 0) {
                validity = validity.later(newValidity, now);
                complete = true;
                renewed(now);
                end(ExtendOutcome.EXTENDED);
            } else {
                end(ExtendOutcome.LOST);
            }
        }

        @Override
        public void failed(boolean anothers, String detail) {
            if (phase != Phase.HELD) {
                end(ExtendOutcome.LOST);
            } else if (anothers) {
                lose(Loss.Reason.TAKEN, detail);
                end(ExtendOutcome.LOST);
            } else {
                failure = "not extended: " + detail;
                LOG.log(Level.DEBUG, "Extension of {0} failed, {1}", name(), detail);
                retryAfter();
                end(ExtendOutcome.UNCONFIRMED);
            }
        }

        @Override
        public void contended(Ticket waiter) {
            tellContended(waiter);
        }

        private void end(ExtendOutcome came) {
            if (renewal == this) {
                renewal = null;
            }
            if (outcome != null) {
                outcome.complete(came);
            }
            done.complete(null);
            arm();
        }
    }

    /** Tried again until the validity ends, more often than it takes to run out. */
    private void retryAfter() {
        Moment now = quorum.timing().now();
        long longest = Math.max(Math.min(remainingNanos(now) / 8, LONGEST_RETRY_NANOS), NANOS_PER_MILLI);
        plannedNanos = quorum.timing().random().nextLong(longest / 2, longest + 1);
        nextExtension = now;
    }

    // ---- pushes

    /** A vote from the queue of a node that the majority did not need: this lease's own, unless it bears an older round. */
    @Override
    public void granted(int node, OwnerId owner, long fence) {
        mailbox.run(() -> {
            if (phase != Phase.HELD || !grant.isOwner(node, owner)) {
                quorum.giveBack(node, grant.settings().resource(), owner);
            }
        });
    }

    @Override
    public void contended(int node, OwnerId owner, long fence, Ticket waiter) {
        mailbox.run(() -> tellContended(waiter));
    }

    private void tellContended(Ticket waiter) {
        if (phase == Phase.HELD && !contended.isRaised()) {
            contended.raise(waiter);
        }
    }

    @Override
    public void available(int node) {
        // the next extension heals the node
    }

    // ---- callbacks

    @Override
    public Lease onAtRisk(Consumer<AtRisk> callback) {
        mailbox.run(() -> atRisk.listen(event -> {
            if (phase == Phase.HELD) {
                callback.accept(event);
            }
        }));
        return this;
    }

    @Override
    public Lease onLost(Consumer<Loss> callback) {
        mailbox.run(() -> loss.listen(callback));
        return this;
    }

    @Override
    public Lease onContended(Runnable callback) {
        mailbox.run(() -> contended.listen(waiter -> callback.run()));
        return this;
    }

    @Override
    public CompletionStage<Loss> lost() {
        return Await.onWorker(lost, quorum.timing().scheduler());
    }

    // ---- the end

    private void lose(Loss.Reason reason, String detail) {
        Loss event = new Loss(name(), reason, detail);
        finish(Phase.LOST);
        LOG.log(Level.WARNING, event.toString());
        lost.complete(event);
        loss.raise(event);
        released.complete(ReleaseOutcome.EXPIRED);
    }

    /** The release begins before this is forgotten: whoever closes the client finds one of the two to wait for. */
    private CompletableFuture<ReleaseOutcome> finish(Phase last) {
        phase = last;
        if (timer != null) {
            timer.cancel();
        }
        quorum.unregister(grant.attempt());
        CompletableFuture<ReleaseOutcome> outcome = Release.of(quorum, grant);
        ended.accept(this);
        return outcome;
    }

    @Override
    public ReleaseOutcome release() {
        return Await.uninterruptibly(startRelease());
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAsync() {
        return Await.onWorker(startRelease(), quorum.timing().scheduler());
    }

    CompletableFuture<ReleaseOutcome> startRelease() {
        mailbox.run(() -> {
            if (phase != Phase.HELD) {
                return;
            }
            boolean late = remainingNanos(quorum.timing().now()) <= 0;
            finish(Phase.RELEASED).thenAccept(outcome -> released.complete(late ? ReleaseOutcome.EXPIRED : outcome));
        });
        return released;
    }

    @Override
    public void close() {
        release();
    }
}
