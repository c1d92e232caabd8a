package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Attempt;
import dev.holdfast.internal.quorum.AttemptResult;
import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.Seal;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Those of one client who want one lock in one way: one attempt, and then one lease, for all of them (PROTOCOL §7). The lease goes from one
 * to the next in the order in which they came, and back to the nodes when nobody is left, or somebody else has waited for long enough.
 *
 * <p>One who shares with nobody has a queue too, with nobody else in it. All steps run on one serial executor, the attempt's and the lease's as well.
 */
final class LocalQueue {

    /** Where it goes from one to the next this quickly, most of the time would go into waking the next one. */
    private static final long QUICK_NANOS = 20_000;

    private final LeaseKeeper keeper;
    private final Quorum quorum;
    private AttemptSettings settings;
    private final LeaseSettings leaseSettings;
    private final boolean shared;
    private final SerialExecutor executor = new SerialExecutor();
    private final Line line = new Line();
    private @Nullable Attempt attempt;
    private @Nullable HeldLease lease;
    private @Nullable Timer lingering;
    private @Nullable Moment lingersSince;
    private boolean closed;
    private boolean over;
    private @Nullable CompletableFuture<Void> whenOver;
    private long handedNanos; // when it last went from one to the next
    private volatile @Nullable AwakeWait
            awake; // how to wait here for what can come within microseconds; null if it can't

    /**
     * Nobody is in it yet.
     *
     * @param shared whether others may join
     */
    LocalQueue(LeaseKeeper keeper, Quorum quorum, Waiter first, boolean shared) {
        this.keeper = keeper;
        this.quorum = quorum;
        this.settings = first.settings;
        this.leaseSettings = first.leaseSettings;
        this.shared = shared;
    }

    /** Whether this waiter wants the lock as the others here do. */
    boolean suits(Waiter waiter) {
        return waiter.settings.ttlMillis() == settings.ttlMillis() && waiter.leaseSettings.equals(leaseSettings);
    }

    /** What the keeper knows it by. */
    Object key() {
        return shared ? settings.resource() : this;
    }

    void ttlUsed(long ttlMillis) {
        keeper.ttlUsed(ttlMillis);
    }

    void ranLate(long lateMillis) {
        keeper.ranLate(settings.name(), lateMillis);
    }

    // ---- coming

    void enter(Waiter waiter) {
        waiter.isSentTo(this);
        executor.execute(waiter.outcome(), () -> come(waiter));
    }

    private void come(Waiter waiter) {
        HeldLease held = lease;
        if (closed || waiter.isCancelled()) {
            Refusal.Reason reason = closed ? Refusal.Reason.CLOSED : Refusal.Reason.CANCELLED;
            waiter.isRefused(reason, notAsked(), quorum.timing().now());
            endIfIdle();
        } else if (over) {
            keeper.enter(waiter);
        } else if (attempt == null && held == null) {
            line.add(waiter);
            startTimer(waiter);
            startAttempt();
        } else if (waiter.waits()) {
            line.add(waiter);
            lookAhead();
            if (waiter.inLine) {
                startTimer(waiter);
            }
        } else if (held == null) {
            keeper.enterAlone(waiter);
        } else if (held.hold() == null && line.isEmpty()) {
            line.add(waiter);
            serve();
        } else {
            waiter.isRefused(
                    Refusal.Reason.HELD, held.reports(), quorum.timing().now());
        }
    }

    /** Whoever is next takes the lease if it is free; otherwise there should be a token by the time that it is. */
    void lookAhead() {
        HeldLease held = lease;
        if (held == null) {
            return;
        }
        if (held.hold() == null) {
            serve();
        } else if (held.needsTokens() && !line.isEmpty()) {
            Moment now = quorum.timing().now();
            if (held.mayGoOn(now)) {
                held.provideTokens(now);
            }
        }
    }

    /** The lease has more tokens. */
    void tokensRaised(Moment now) {
        keeper.firstBlocks().taken(settings.resource(), now.nanos());
    }

    private void startTimer(Waiter waiter) {
        if (shared && waiter.waits() && waiter.settings.waitNanos() != Long.MAX_VALUE) {
            waiter.timer = quorum.timing()
                    .scheduler()
                    .schedule(waiter.settings.waitNanos(), () -> executor.execute(() -> timeUp(waiter)));
        }
    }

    /** For a thread that waits for what becomes of it here. */
    <T> T await(CompletableFuture<T> outcome) throws InterruptedException {
        stayAwake(outcome);
        return Await.interruptibly(outcome);
    }

    /** For a thread that gives back what it had from here. */
    <T> T awaitUninterruptibly(CompletableFuture<T> outcome) {
        stayAwake(outcome);
        return Await.uninterruptibly(outcome);
    }

    private void stayAwake(CompletableFuture<?> outcome) {
        AwakeWait wait = awake;
        if (wait != null) {
            wait.forAMoment(outcome);
        }
    }

    // ---- the attempt

    private void startAttempt() {
        Waiter first = line.first();
        if (first == null) {
            return;
        }
        if (shared) {
            boolean several = leaseSettings.lingerNanos() > 0 || line.hasSeveral();
            int tokens = several
                    ? keeper.firstBlocks()
                            .take(settings.resource(), quorum.timing().ticker().nanos())
                    : 1;
            settings = settings.with(first.waits() ? Long.MAX_VALUE : 0, tokens);
        }
        awake = keeper.forNodes();
        attempt = Attempt.start(quorum, settings, executor, this::attempted, this::starved);
    }

    private void attempted(AttemptResult result) {
        attempt = null;
        awake = null;
        Moment now = quorum.timing().now();
        if (result instanceof AttemptResult.Won won) {
            HeldLease made = new HeldLease(quorum, won.grant(), leaseSettings, executor, this);
            Waiter first = line.first();
            if (first == null) {
                made.end();
            } else {
                lease = made;
                line.remove(first);
                first.isGranted(made.begin());
                keeper.watchForSuspension();
                if (closed) {
                    closeNow();
                } else {
                    lookAhead();
                }
            }
        } else {
            refuse(((AttemptResult.Refused) result).refusal(), now);
        }
        next();
    }

    /**
     * No majority of nodes has answered for too long: whoever set no limit is refused. Those with a limit wait on, and keep the attempt and its
     * ticket.
     */
    private void starved() {
        Attempt running = attempt;
        if (running == null) {
            return;
        }
        List<Waiter> unlimited = new ArrayList<>();
        boolean anyLimited = false;
        for (Waiter waiter = line.first(); waiter != null; waiter = waiter.after) {
            if (waiter.hasNoLimit()) {
                unlimited.add(waiter);
            } else {
                anyLimited = true;
            }
        }
        if (!anyLimited && !unlimited.isEmpty()) {
            unlimited.remove(0); // refused with the attempt; another may come until that has ended
            running.cancel(Refusal.Reason.NO_QUORUM);
        }
        Refusal refusal = running.refusal();
        Moment now = quorum.timing().now();
        for (Waiter waiter : unlimited) {
            line.remove(waiter);
            waiter.isRefused(Refusal.Reason.NO_QUORUM, refusal.nodes(), now);
        }
    }

    /** What is true of the lock or of the client is told to all; a time that is over is the first one's alone. */
    private void refuse(Refusal refusal, Moment now) {
        boolean all = closed || refusal.reason() == Refusal.Reason.SEALED || refusal.reason() == Refusal.Reason.CLOSED;
        Waiter first = line.first();
        do {
            if (first == null) {
                return;
            }
            line.remove(first);
            first.isRefused(closed ? Refusal.Reason.CLOSED : refusal.reason(), refusal.nodes(), refusal.seal(), now);
            first = line.first();
        } while (all);
    }

    /** After an attempt or a lease has ended. */
    private void next() {
        if (attempt == null && lease == null && !line.isEmpty()) {
            startAttempt();
        }
        endIfIdle();
    }

    private void endIfIdle() {
        if (attempt == null && lease == null && line.isEmpty() && !over) {
            over = true;
            if (lingering != null) {
                lingering.cancel();
            }
            keeper.isOver(this);
            if (whenOver != null) {
                whenOver.complete(null);
            }
        }
    }

    // ---- the lease

    /** Somebody may be next: tokens have come, or have not; or somebody else waits, and the lease should not linger. */
    void serve() {
        HeldLease free = lease;
        if (free != null && free.hold() == null && !goOn(free)) {
            giveBack(free);
        }
    }

    /** The next one has the lease, or will have it, or it lingers; if false, it is to go back to the nodes. */
    private boolean goOn(HeldLease free) {
        Moment now = quorum.timing().now();
        if (closed || !shared || !free.mayGoOn(now)) {
            return false;
        }
        Waiter first = line.first();
        if (first == null) {
            return linger(free, now);
        }
        if (!free.provideTokens(now)) {
            return false;
        }
        if (free.hasToken()) {
            line.remove(first);
            lingersSince = null;
            hand(free, first, now);
        }
        return true;
    }

    private void hand(HeldLease free, Waiter next, Moment now) {
        awake = now.nanos() - handedNanos < QUICK_NANOS ? keeper.forLines() : null;
        handedNanos = now.nanos();
        next.isGranted(free.hand(now));
    }

    private boolean linger(HeldLease free, Moment now) {
        if (leaseSettings.lingerNanos() == 0 || free.isContended()) {
            return false;
        }
        if (lingersSince == null) { // not again after a renewal, or it would linger as long as it is renewed
            lingersSince = now;
        }
        if (lingering == null) {
            lingerFor(leaseSettings.lingerNanos());
        }
        return free.provideTokens(now);
    }

    private void lingerFor(long nanos) {
        lingering = quorum.timing().scheduler().schedule(nanos, () -> executor.execute(this::lingeredEnough));
    }

    /** One timer for many uses: it looks how long the last one is over. */
    private void lingeredEnough() {
        lingering = null;
        HeldLease free = lease;
        Moment since = lingersSince;
        if (free == null || free.hold() != null || since == null) {
            return;
        }
        long left =
                leaseSettings.lingerNanos() - since.nanosUntil(quorum.timing().now());
        if (left > 0) {
            lingerFor(left);
        } else {
            giveBack(free);
        }
    }

    private CompletableFuture<ReleaseOutcome> giveBack(HeldLease free) {
        return giveBack(free, null);
    }

    private CompletableFuture<ReleaseOutcome> giveBack(HeldLease free, @Nullable Seal seal) {
        lease = null;
        lingersSince = null;
        CompletableFuture<ReleaseOutcome> outcome = free.end(seal);
        next();
        awake = free.isContended() ? null : keeper.forNodes(); // else those who wait elsewhere need the processor more
        return outcome;
    }

    /** A holder has given it back. */
    void left(Hold hold, boolean inTime) {
        HeldLease free = lease;
        if (free == null) {
            hold.isReleased(ReleaseOutcome.UNKNOWN);
            return;
        }
        free.vacate();
        if (inTime && goOn(free)) {
            hold.isReleased(ReleaseOutcome.RELEASED);
        } else {
            giveBack(free).thenAccept(outcome -> hold.isReleased(inTime ? outcome : ReleaseOutcome.EXPIRED));
        }
    }

    /** A holder has done the work for good: the others in line are told so by the nodes. */
    void sealed(Hold hold, boolean inTime, Seal seal) {
        HeldLease free = lease;
        if (free == null) {
            hold.isSealed(ReleaseOutcome.UNKNOWN, inTime);
            return;
        }
        free.vacate();
        giveBack(free, seal).thenAccept(outcome -> hold.isSealed(outcome, inTime));
    }

    /** The client is closed, and the nodes are to keep the lease. */
    void abandoned() {
        HeldLease kept = lease;
        if (kept != null) {
            kept.abandon();
            ended(kept);
        }
    }

    /** The lease was lost. */
    void ended(HeldLease ended) {
        if (lease == ended) {
            lease = null;
            lingersSince = null;
            next();
        }
    }

    /** Clocks may have moved more than timers know. */
    void poke() {
        executor.execute(() -> {
            if (lease != null) {
                lease.poke();
            }
        });
    }

    // ---- going

    /** Whoever is first and alone with its attempt waits for the first round of answers, however short the time. */
    private void timeUp(Waiter waiter) {
        Attempt running = attempt;
        HeldLease held = lease;
        if (!waiter.inLine) {
            return;
        }
        Moment now = quorum.timing().now();
        if (running == null) {
            line.remove(waiter);
            waiter.isRefused(Refusal.Reason.HELD, held == null ? notAsked() : held.reports(), now);
            serve(); // the lease may have been kept for this waiter alone
        } else if (line.first() == waiter && (!line.hasSeveral() || !running.hasHeardAll())) {
            running.expire();
        } else {
            line.remove(waiter);
            Refusal refusal = running.refusal();
            waiter.isRefused(refusal.reason(), refusal.nodes(), now);
        }
    }

    void cancel(Waiter waiter) {
        executor.execute(() -> {
            if (!waiter.isAt(this)) {
                waiter.cancel();
            } else if (waiter.inLine) {
                leave(waiter);
            }
        });
    }

    private void leave(Waiter waiter) {
        Attempt running = attempt;
        if (running != null && !line.hasSeveral()) {
            running.cancel(Refusal.Reason.CANCELLED);
            return;
        }
        line.remove(waiter);
        List<NodeReport> reports =
                running != null ? running.refusal().nodes() : lease != null ? lease.reports() : notAsked();
        waiter.isRefused(Refusal.Reason.CANCELLED, reports, quorum.timing().now());
        serve();
    }

    /** Refuses all who wait, and gives the lease back; completes when there is nothing left. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        executor.execute(() -> {
            closed = true;
            whenOver = whenOver == null ? new CompletableFuture<>() : whenOver;
            whenOver.thenRun(() -> done.complete(null));
            if (over) {
                whenOver.complete(null);
            } else {
                closeNow();
            }
        });
        return done;
    }

    private void closeNow() {
        Attempt running = attempt;
        HeldLease held = lease;
        if (running != null) {
            running.cancel(Refusal.Reason.CLOSED);
            return;
        }
        Moment now = quorum.timing().now();
        for (Waiter first = line.first(); first != null; first = line.first()) {
            line.remove(first);
            first.isRefused(Refusal.Reason.CLOSED, notAsked(), now);
        }
        if (held != null) {
            Hold holding = held.hold();
            if (holding != null) {
                holding.closes();
            } else {
                giveBack(held);
            }
        }
        endIfIdle();
    }

    private List<NodeReport> notAsked() {
        return IntStream.range(0, quorum.size())
                .mapToObj(node -> new NodeReport(quorum.name(node), NodeReport.Kind.NOT_ASKED, "", null, 0))
                .toList();
    }
}
