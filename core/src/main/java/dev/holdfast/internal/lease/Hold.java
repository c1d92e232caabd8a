package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.quorum.Validity;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One holder's time with a {@link HeldLease}, under a token of its own: what a user has in hand. What changes does so in the lease's
 * serial executor.
 */
final class Hold implements Lease {

    private enum State {
        HELD,
        LOST,
        RELEASED,
        SEALED,
    }

    private final HeldLease lease;
    private final long token;
    private final Moment since;
    private final @Nullable Deadline maxHold;
    private volatile String value;
    private final CompletableFuture<ReleaseOutcome> released = new CompletableFuture<>();
    private final CompletableFuture<SealOutcome> sealed = new CompletableFuture<>();
    private volatile State state = State.HELD;
    private volatile @Nullable Loss loss;
    private @Nullable Listeners listeners;
    private LeaseObserver observer = LeaseObserver.NONE;
    private long keptNanos; // since it was granted, 0 unless it is to be kept after its holder is done
    private @Nullable Timer keeping;

    /**
     * Held from now on.
     *
     * @param maxHold when it ends whatever happens, null for never
     * @param value what those before have left, empty if nothing
     */
    Hold(HeldLease lease, long token, Moment since, @Nullable Deadline maxHold, String value) {
        this.value = value;
        this.lease = lease;
        this.token = token;
        this.since = since;
        this.maxHold = maxHold;
    }

    // ---- what it is

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public LockMode mode() {
        return lease.mode();
    }

    @Override
    public long fencingToken() {
        return token;
    }

    @Override
    public String owner() {
        return lease.owner().toString();
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(state == State.HELD ? Math.max(remainingNanos(now()), 0) : 0);
    }

    @Override
    public boolean isHeld() {
        return state == State.HELD && remainingNanos(now()) > 0;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            Loss known = loss;
            throw new LeaseLostException(
                    known != null
                            ? known.toString()
                            : "lease of '" + name() + "' is "
                                    + switch (state) {
                                        case RELEASED -> "released";
                                        case SEALED -> "sealed";
                                        case HELD, LOST -> "lost: its time ran out";
                                    });
        }
    }

    /** Whether this keeps a lease in that mode out, so that whoever holds this would wait for itself. */
    boolean keepsOut(Quorum quorum, String resource, LockMode wanted) {
        return lease.quorum() == quorum
                && lease.resource().equals(resource)
                && mode().conflictsWith(wanted)
                && isHeld();
    }

    private Moment now() {
        return lease.quorum().timing().now();
    }

    long remainingNanos(Moment now) {
        return Math.min(lease.validNanos(now), maxHoldNanos(now));
    }

    long maxHoldNanos(Moment now) {
        return maxHold == null ? Long.MAX_VALUE : maxHold.remainingNanos(now);
    }

    @Override
    public String toString() {
        return "Lease[" + lease + ", token " + token + ", " + state + "]";
    }

    // ---- who is told of it, on the serial executor

    /** Before its holder has it. */
    void isObserved(LeaseObserver by, Moment asked) {
        observer = by;
        if (by != LeaseObserver.NONE) {
            by.granted(this, Duration.ofNanos(asked.nanosUntil(since)));
        }
    }

    private void tellEnd(LeaseEnd.How how) {
        if (observer != LeaseObserver.NONE) {
            Moment now = now();
            observer.ended(new LeaseEnd(
                    how, Duration.ofNanos(since.nanosUntil(now)), Duration.ofNanos(Math.max(remainingNanos(now), 0))));
        }
    }

    private void tellLoss(Loss event) {
        lease.quorum().observer().lost(event, mode(), token);
        tellEnd(LeaseEnd.How.LOST);
    }

    /** Its holder gives it back: in time, or after it was over, which nobody had noticed yet. */
    private void tellEnd(LeaseEnd.How how, boolean inTime) {
        if (inTime) {
            tellEnd(how);
        } else {
            boolean tooLong = maxHoldNanos(now()) <= 0;
            tellLoss(new Loss(
                    name(),
                    tooLong ? Loss.Reason.MAX_HOLD : Loss.Reason.EXPIRED,
                    "it was over when it was given back"));
        }
    }

    // ---- what it is told, on the serial executor

    void isAtRisk(AtRisk event) {
        if (listeners != null) {
            listeners.atRisk.raise(event);
        }
    }

    void isSafe() {
        if (listeners != null) {
            listeners.atRisk.lower();
        }
    }

    /** It lasts longer than it did. */
    void isExtended(Moment now) {
        if (listeners != null) {
            listeners.extended.raise(Duration.ofNanos(Math.max(remainingNanos(now), 0)));
            listeners.extended.lower(); // whoever listens later hears of the next one
        }
    }

    void isContended(Ticket waiter) {
        if (listeners != null) {
            listeners.contended.raise(waiter);
        }
    }

    /** It is lost, and nobody has been told yet. */
    void ends() {
        state = State.LOST;
    }

    void isLost(Loss event) {
        loss = event;
        tellLoss(event);
        if (listeners != null) {
            listeners.lost.complete(event);
            listeners.loss.raise(event);
        }
        released.complete(ReleaseOutcome.EXPIRED);
    }

    // ---- callbacks

    /** What a holder listens to, made for the first listener. */
    private static final class Listeners {

        final Signal<AtRisk> atRisk;
        final Signal<Loss> loss;
        final Signal<Ticket> contended;
        final Signal<Duration> extended;
        final CompletableFuture<Loss> lost = new CompletableFuture<>();

        Listeners(Scheduler scheduler) {
            Callbacks callbacks = new Callbacks(scheduler);
            atRisk = new Signal<>(callbacks);
            loss = new Signal<>(callbacks);
            contended = new Signal<>(callbacks);
            extended = new Signal<>(callbacks);
        }
    }

    private Listeners listeners() {
        Listeners made = listeners;
        if (made == null) {
            made = new Listeners(scheduler());
            listeners = made;
            Ticket waiter = lease.contender();
            AtRisk risk = lease.risk();
            Loss known = loss;
            if (state == State.HELD && waiter != null) {
                made.contended.raise(waiter);
            }
            if (state == State.HELD && risk != null) {
                made.atRisk.raise(risk);
            }
            if (known != null) {
                made.lost.complete(known);
                made.loss.raise(known);
            }
        }
        return made;
    }

    private Scheduler scheduler() {
        return lease.quorum().timing().scheduler();
    }

    @Override
    public Lease onAtRisk(Consumer<AtRisk> callback) {
        lease.executor()
                .execute(() -> listeners().atRisk.listen(event -> {
                    if (state == State.HELD) {
                        callback.accept(event);
                    }
                }));
        return this;
    }

    @Override
    public Lease onLost(Consumer<Loss> callback) {
        lease.executor().execute(() -> listeners().loss.listen(callback));
        return this;
    }

    @Override
    public Lease onContended(Runnable callback) {
        lease.executor().execute(() -> listeners().contended.listen(waiter -> callback.run()));
        return this;
    }

    @Override
    public Lease onExtended(Consumer<Duration> callback) {
        lease.executor()
                .execute(() -> listeners().extended.listen(left -> {
                    if (state == State.HELD) {
                        callback.accept(left);
                    }
                }));
        return this;
    }

    @Override
    public CompletionStage<Loss> lost() {
        Loss known = loss;
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<Loss> stage = new CompletableFuture<>();
        lease.executor()
                .execute(
                        stage,
                        () -> listeners().lost.thenAccept(event -> Await.completeOnWorker(stage, event, scheduler())));
        return stage;
    }

    // ---- extension

    @Override
    public ExtendOutcome extend(Duration duration) throws InterruptedException {
        return Await.interruptibly(startExtend(duration));
    }

    @Override
    public CompletionStage<ExtendOutcome> extendAsync(Duration duration) {
        return Await.onWorker(startExtend(duration), scheduler());
    }

    private CompletableFuture<ExtendOutcome> startExtend(Duration duration) {
        long ttlMillis = LeaseLimits.requireTtl("duration", duration);
        lease.queue().ttlUsed(ttlMillis);
        CompletableFuture<ExtendOutcome> outcome = new CompletableFuture<>();
        lease.executor().execute(outcome, () -> lease.extend(this, ttlMillis, outcome));
        return outcome;
    }

    // ---- the value

    @Override
    public Optional<String> value() {
        return Optional.of(value).filter(text -> !text.isEmpty());
    }

    @Override
    public WriteOutcome writeValue(String text) throws InterruptedException {
        return Await.interruptibly(startWrite(text));
    }

    @Override
    public CompletionStage<WriteOutcome> writeValueAsync(String text) {
        return Await.onWorker(startWrite(text), scheduler());
    }

    private CompletableFuture<WriteOutcome> startWrite(String text) {
        LockValue.requireText(text);
        if (!mode().mayWrite()) {
            throw new IllegalStateException(
                    "lease of '" + name() + "' is held in mode " + mode() + ", but a value is written in EX or PW");
        }
        lease.quorum().usesValues();
        CompletableFuture<ExtendOutcome> outcome = new CompletableFuture<>();
        lease.executor().execute(outcome, () -> lease.write(this, text, outcome));
        return outcome.thenApply(extended -> switch (extended) {
            case EXTENDED -> WriteOutcome.WRITTEN;
            case UNCONFIRMED -> WriteOutcome.UNCONFIRMED;
            case LOST -> WriteOutcome.LOST;
        });
    }

    void hasWritten(String text) {
        value = text;
    }

    // ---- the end

    @Override
    public ReleaseOutcome release() {
        return lease.queue().awaitUninterruptibly(startRelease());
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAsync() {
        return Await.onWorker(startRelease(), scheduler());
    }

    CompletableFuture<ReleaseOutcome> startRelease() {
        lease.executor().execute(released, this::leave);
        return released;
    }

    /** It is given back, unless it has ended before. */
    void leave() {
        if (state == State.HELD) {
            boolean inTime = remainingNanos(now()) > 0;
            state = State.RELEASED;
            stopKeeping();
            tellEnd(LeaseEnd.How.RELEASED, inTime);
            lease.queue().left(this, inTime);
        }
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAfter(Duration held) {
        long nanos = Duration.ofMillis(LeaseLimits.requireHeld("held", held)).toNanos();
        lease.queue().ttlUsed(Validity.ttlMillis(nanos));
        lease.executor().execute(released, () -> keep(nanos));
        return Await.onWorker(released, scheduler());
    }

    private void keep(long nanos) {
        if (state != State.HELD) {
            return;
        }
        long left = nanos - since.nanosUntil(now());
        stopKeeping();
        if (left <= 0) {
            leave();
            return;
        }
        keptNanos = nanos;
        keepAtNodes();
        keeping = scheduler().schedule(left, () -> lease.executor().execute(() -> keep(nanos)));
    }

    private void stopKeeping() {
        if (keeping != null) {
            keeping.cancel();
            keeping = null;
        }
    }

    /** Asks the nodes to keep it by themselves for as long as it is to be kept; completes at once if they do already. */
    private CompletableFuture<ExtendOutcome> keepAtNodes() {
        long left = keptNanos - since.nanosUntil(now());
        CompletableFuture<ExtendOutcome> outcome = new CompletableFuture<>();
        if (remainingNanos(now()) >= left) {
            outcome.complete(ExtendOutcome.EXTENDED);
        } else {
            lease.extend(this, Validity.ttlMillis(left), outcome);
        }
        return outcome;
    }

    /** The client is closed: given back, unless it is to be kept, which is left to the nodes then. On the serial executor. */
    void closes() {
        if (state != State.HELD || keptNanos == 0) {
            leave();
            return;
        }
        stopKeeping();
        keepAtNodes()
                .thenRun(() -> lease.executor().execute(() -> {
                    if (state == State.HELD) {
                        state = State.RELEASED;
                        tellEnd(LeaseEnd.How.KEPT);
                        lease.queue().abandoned();
                        released.complete(ReleaseOutcome.UNKNOWN);
                    }
                }));
    }

    /** What came of the release. */
    void isReleased(ReleaseOutcome outcome) {
        released.complete(outcome);
    }

    @Override
    public SealOutcome seal(Duration retention) {
        return Await.uninterruptibly(startSeal(retention));
    }

    @Override
    public CompletionStage<SealOutcome> sealAsync(Duration retention) {
        return Await.onWorker(startSeal(retention), scheduler());
    }

    private CompletableFuture<SealOutcome> startSeal(Duration retention) {
        long sealMillis = LeaseLimits.requireRetention(retention);
        lease.quorum().usesSeals();
        lease.executor().execute(sealed, () -> seal(sealMillis));
        return sealed;
    }

    /** Work that was done stays done, though the lease may have been lost before its end. */
    private void seal(long sealMillis) {
        if (state == State.HELD) {
            boolean inTime = remainingNanos(now()) > 0;
            state = State.SEALED;
            tellEnd(LeaseEnd.How.SEALED, inTime);
            lease.queue().sealed(this, inTime, Seal.now(lease.owner(), sealMillis));
        } else if (state == State.LOST) {
            state = State.SEALED;
            lease.end(Seal.now(lease.owner(), sealMillis)).thenAccept(outcome -> isSealed(outcome, false));
        } else if (state == State.RELEASED) {
            sealed.complete(SealOutcome.RELEASED_BEFORE);
        }
    }

    /** What came of the release that seals. */
    void isSealed(ReleaseOutcome outcome, boolean inTime) {
        boolean late = !inTime || outcome == ReleaseOutcome.EXPIRED;
        released.complete(inTime ? outcome : ReleaseOutcome.EXPIRED);
        sealed.complete(
                outcome == ReleaseOutcome.UNKNOWN
                        ? SealOutcome.UNKNOWN
                        : late ? SealOutcome.SEALED_LATE : SealOutcome.SEALED);
    }

    @Override
    public void close() {
        release();
    }
}
