package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Ballot;
import dev.holdfast.internal.quorum.Extension;
import dev.holdfast.internal.quorum.Grant;
import dev.holdfast.internal.quorum.Kept;
import dev.holdfast.internal.quorum.PushTarget;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.quorum.Release;
import dev.holdfast.internal.quorum.Validity;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.observe.ExtensionObserver;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A majority of votes, kept: renewed at a third of the remaining validity, tried again until it ends, and its risk and loss told on its own
 * deadline (PROTOCOL §4, "Extension" and "Release"). Held by one {@link Hold} after the other, or by nobody while it lingers. One timer for
 * each lease, no thread; all steps run on one serial executor.
 */
final class HeldLease implements PushTarget, Runnable {

    private static final System.Logger LOG = System.getLogger(HeldLease.class.getName());
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LATE_NANOS = 100 * NANOS_PER_MILLI;
    private static final long STEPS = 64;
    private static final long LONGEST_RETRY_NANOS = 1_000 * NANOS_PER_MILLI;

    private final Quorum quorum;
    private final Ballot ballot;
    private final LeaseSettings settings;
    private final SerialExecutor executor;
    private final LocalQueue queue;
    private final TokenBlock tokens;

    private volatile Deadline validity;
    private boolean over;
    private @Nullable Hold hold;
    private long renewedNanos; // how long was left when it was last renewed
    private Moment nextExtension;
    private @Nullable Renewal renewal;
    private boolean complete; // whether the votes have had their full ttl
    private String failure = "";
    private @Nullable AtRisk risk;
    private @Nullable Ticket contender;
    private @Nullable LockValue value; // the latest that is known
    private final Kept kept;
    private long writes;
    private boolean tokensAwaited;
    private int handOvers; // turns that began while another request waits
    private @Nullable Timer timer;
    private Moment wakeUp;
    private long wakeUpNanos; // how long after that the timer is due
    private long plannedNanos;

    HeldLease(Quorum quorum, Grant grant, LeaseSettings settings, SerialExecutor executor, LocalQueue queue) {
        this.quorum = quorum;
        this.ballot = grant.ballot();
        this.settings = settings;
        this.executor = executor;
        this.queue = queue;
        this.tokens = new TokenBlock(grant.fence(), grant.ballot().settings().tokens(), grant.acquired());
        this.contender = grant.contender();
        this.value = grant.value();
        this.kept = grant.kept();
        this.validity = grant.validity();
        this.complete = !grant.isShort();
        this.wakeUp = grant.acquired();
        this.nextExtension = grant.acquired();
        renewed(grant.acquired());
    }

    /** From now on it is renewed, and told of pushes; the first holder has it. */
    Hold begin() {
        quorum.register(ballot.attempt(), this);
        return hand(nextExtension);
    }

    // ---- who has it

    /** Gives it to its next holder, with the next token, which must be there. */
    Hold hand(Moment now) {
        Deadline maxHold =
                settings.maxHoldNanos() == Long.MAX_VALUE ? null : new Deadline(now, settings.maxHoldNanos());
        Hold next = new Hold(this, tokens.take(), now, maxHold, value == null ? "" : value.text());
        hold = next;
        handOvers += contender == null ? 0 : 1;
        if (maxHold != null) {
            renewedNanos = Math.max(remainingNanos(now), 0);
        }
        if (maxHold != null || timer == null) {
            arm(now);
        }
        return next;
    }

    /** Whether somebody has it; otherwise it lingers, or waits for tokens. */
    @Nullable
    Hold hold() {
        return hold;
    }

    /**
     * Whether it may have another holder: it is not at risk, so they find it as safe as one that is fresh, and whoever waits at the nodes
     * has not waited for too many of this client's already.
     */
    boolean mayGoOn(Moment now) {
        boolean fair = contender == null || handOvers < LeaseSettings.MOST_HAND_OVERS;
        return !over && fair && risk == null && validity.remainingNanos(now) > renewedNanos / 2;
    }

    boolean isContended() {
        return contender != null;
    }

    boolean needsTokens() {
        return tokens.isLow();
    }

    boolean hasToken() {
        return tokens.left() > 0;
    }

    /** Sees to it that there are tokens for those to come; the queue is told when it knows more. False if there will be none. */
    boolean provideTokens(Moment now) {
        if (!tokens.isLow() || over) {
            return true;
        }
        if (tokens.isStuck()) {
            return hasToken();
        }
        if (renewal == null) {
            long early = tokens.earlyNanos(now);
            if (early > 0) {
                provideTokensLater(early);
            } else {
                renewal = new Renewal(ballot.settings().ttlMillis(), tokens.nextFence(), null, null);
                renewal.start(now);
            }
        }
        return true;
    }

    private void provideTokensLater(long nanos) {
        if (!tokensAwaited) {
            tokensAwaited = true;
            quorum.timing()
                    .scheduler()
                    .schedule(
                            nanos,
                            () -> executor.execute(() -> {
                                tokensAwaited = false;
                                queue.lookAhead();
                            }));
        }
    }

    /** The holder is done. */
    void vacate() {
        hold = null;
    }

    // ---- what it is

    SerialExecutor executor() {
        return executor;
    }

    Quorum quorum() {
        return quorum;
    }

    LocalQueue queue() {
        return queue;
    }

    String name() {
        return ballot.settings().name();
    }

    String resource() {
        return ballot.settings().resource();
    }

    LockMode mode() {
        return ballot.settings().mode();
    }

    OwnerId owner() {
        return ballot.owner();
    }

    @Nullable
    Ticket contender() {
        return contender;
    }

    @Nullable
    AtRisk risk() {
        return risk;
    }

    /** How long a majority of its votes lasts; on any thread. */
    long validNanos(Moment now) {
        return validity.remainingNanos(now);
    }

    private long remainingNanos(Moment now) {
        return hold == null ? validNanos(now) : hold.remainingNanos(now);
    }

    /** What those of this client are told who want the lock meanwhile: every node would say the same. */
    List<NodeReport> reports() {
        Duration left = Duration.ofMillis(Math.max(validNanos(quorum.timing().now()), 0) / NANOS_PER_MILLI);
        String by = "by " + ballot.owner().clientName() + ", which is this client";
        return IntStream.range(0, quorum.size())
                .mapToObj(node -> new NodeReport(quorum.name(node), NodeReport.Kind.HELD, by, left, 0))
                .toList();
    }

    // ---- its clock

    private void renewed(Moment now) {
        renewedNanos = Math.max(remainingNanos(now), 0);
        nextExtension = now;
        failure = "";
        risk = null;
        if (hold != null) {
            hold.isSafe();
        }
        plannedNanos = together(Math.max(validity.remainingNanos(now), 0) / 3, now);
    }

    /** A little sooner, at a time that the client's other leases keep to as well: many are renewed at one go. */
    private static long together(long nanos, Moment now) {
        long step = Long.highestOneBit(nanos / STEPS);
        return step == 0 ? nanos : nanos - Math.floorMod(now.nanos() + nanos, step);
    }

    private void arm(Moment now) {
        if (timer != null) {
            timer.cancel();
        }
        if (over) {
            return;
        }
        long left = remainingNanos(now);
        long next = left - lossMarginNanos();
        if (risk == null) {
            next = Math.min(next, left - renewedNanos / 2);
        }
        if (renewal == null && wantsExtension(now)) {
            next = Math.min(next, plannedNanos - nextExtension.nanosUntil(now));
        }
        wakeUp = now;
        wakeUpNanos = Math.max(next, 0);
        timer = quorum.timing().scheduler().schedule(wakeUpNanos, this);
    }

    /** The loss is told a little early, so that it is told in time: a hundredth of the ttl, 1 to 20 ms. */
    private long lossMarginNanos() {
        return Math.min(
                Math.max(ballot.settings().ttlMillis() * NANOS_PER_MILLI / 100, NANOS_PER_MILLI), 20 * NANOS_PER_MILLI);
    }

    private boolean wantsExtension(Moment now) {
        boolean worthwhile = hold == null || validNanos(now) < hold.maxHoldNanos(now);
        return worthwhile && (settings.autoExtend() || !complete);
    }

    /** Looks at the clocks again, because they may have moved more than the timer knows. Only on the serial executor. */
    void poke() {
        if (!over) {
            look();
        }
    }

    /** Its timer is due. */
    @Override
    public void run() {
        executor.execute(this::tick);
    }

    private void tick() {
        if (over) {
            return;
        }
        long late = wakeUp.nanosUntil(quorum.timing().now()) - wakeUpNanos;
        if (late > LATE_NANOS) {
            queue.ranLate(late / NANOS_PER_MILLI);
        }
        look();
    }

    private void look() {
        Moment now = quorum.timing().now();
        long left = remainingNanos(now);
        if (left <= lossMarginNanos()) {
            boolean tooLong = hold != null && hold.maxHoldNanos(now) <= lossMarginNanos();
            lose(tooLong ? Loss.Reason.MAX_HOLD : Loss.Reason.EXPIRED, tooLong ? "" : failure);
            return;
        }
        if (risk == null && left <= renewedNanos / 2) {
            AtRisk event = new AtRisk(name(), Duration.ofNanos(left), riskDetail(now));
            risk = event;
            if (hold != null) {
                hold.isAtRisk(event);
            }
        }
        if (renewal == null && wantsExtension(now) && nextExtension.nanosUntil(now) >= plannedNanos) {
            renewal = new Renewal(ballot.settings().ttlMillis(), 0, valueToKeep(), null);
            renewal.start(now);
        }
        arm(now);
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

    /** For a holder; one who no longer has it is told that it is lost. */
    void extend(Hold asking, long ttlMillis, CompletableFuture<ExtendOutcome> outcome) {
        Moment now = quorum.timing().now();
        Renewal running = renewal;
        if (hold != asking || remainingNanos(now) <= 0) {
            outcome.complete(ExtendOutcome.LOST);
        } else if (running != null) { // one at a time
            running.done.thenRun(() -> executor.execute(() -> extend(asking, ttlMillis, outcome)));
        } else {
            renewal = new Renewal(ttlMillis, 0, valueToKeep(), outcome);
            renewal.start(now);
        }
    }

    // ---- values

    /** For a holder: an extension that carries the value, since a vote that stands keeps all others from writing (PROTOCOL §4). */
    void write(Hold asking, String text, CompletableFuture<ExtendOutcome> outcome) {
        if (hold != asking) {
            outcome.complete(ExtendOutcome.LOST);
        } else { // numbered here: those that wait for an extension to end may go out in any order
            write(asking, new LockValue(asking.fencingToken(), ++writes, text), outcome);
        }
    }

    private void write(Hold asking, LockValue next, CompletableFuture<ExtendOutcome> outcome) {
        Moment now = quorum.timing().now();
        Renewal running = renewal;
        if (hold != asking || remainingNanos(now) <= 0) {
            outcome.complete(ExtendOutcome.LOST);
        } else if (running != null) { // one at a time
            running.done.thenRun(() -> executor.execute(() -> write(asking, next, outcome)));
        } else {
            long ttlMillis = settings.autoExtend() || !complete
                    ? ballot.settings().ttlMillis()
                    : Math.max(validNanos(now) / NANOS_PER_MILLI, 1); // not to be extended
            renewal = new Renewal(ttlMillis, 0, next, outcome);
            renewal.start(now);
        }
    }

    /** What every node should keep: extensions and the release carry it to nodes that are not known to, such as one that restarted. */
    private @Nullable LockValue valueToKeep() {
        return mode().mayWrite() ? value : null;
    }

    private void isWritten(LockValue written) {
        if (written.isLaterThan(value)) {
            value = written;
        }
        if (written.equals(value) && hold != null && hold.fencingToken() == written.token()) {
            hold.hasWritten(written.text());
        }
    }

    /** One extension, or a raise for more tokens; there is never a second one before this one has succeeded or failed. */
    private final class Renewal implements Extension.Listener {

        private final long ttlMillis;
        private final long raiseTo; // 0 to raise nothing
        private final @Nullable LockValue carried;
        private final @Nullable CompletableFuture<ExtendOutcome> outcome;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private ExtensionObserver observer = ExtensionObserver.NONE;
        private Moment started = nextExtension;

        Renewal(
                long ttlMillis,
                long raiseTo,
                @Nullable LockValue carried,
                @Nullable CompletableFuture<ExtendOutcome> outcome) {
            this.ttlMillis = ttlMillis;
            this.raiseTo = raiseTo;
            this.carried = carried;
            this.outcome = outcome;
        }

        /** Nothing is asked for beyond the longest hold, but for the drift that will be deducted. */
        void start(Moment now) {
            observer = quorum.observer().extension(name(), mode());
            started = now;
            long longestMillis = hold == null ? ttlMillis : Validity.ttlMillis(hold.maxHoldNanos(now));
            long asked = Math.min(ttlMillis, longestMillis);
            if (raiseTo > 0) {
                Extension.raise(quorum, executor, ballot, raiseTo, asked, kept, this);
            } else {
                Extension.prolong(quorum, executor, ballot, tokens.fence(), asked, carried, kept, this);
            }
        }

        @Override
        public void extended(Deadline newValidity) {
            Moment now = quorum.timing().now();
            if (!over && remainingNanos(now) > 0) {
                Deadline before = validity;
                validity = before.later(newValidity, now);
                complete = true;
                tokens.raised(raiseTo, now);
                if (raiseTo > 0) {
                    queue.tokensRaised(now);
                }
                if (carried != null) {
                    isWritten(carried);
                }
                renewed(now);
                if (hold != null && !validity.equals(before)) {
                    hold.isExtended(now);
                }
                end(ExtendOutcome.EXTENDED);
            } else {
                end(ExtendOutcome.LOST);
            }
        }

        /** A raise that was refused says no more than that there are no more tokens: the next extension heals what can be. */
        @Override
        public void failed(boolean anothers, String detail) {
            if (over) {
                end(ExtendOutcome.LOST);
            } else if (raiseTo > 0) {
                tokens.stick();
                end(ExtendOutcome.UNCONFIRMED);
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

        /** Once: what failed may still succeed by a late answer. */
        private void tellObserver(ExtendOutcome came) {
            ExtensionObserver told = observer;
            observer = ExtensionObserver.NONE;
            if (told != ExtensionObserver.NONE) {
                told.ended(
                        came,
                        Duration.ofNanos(started.nanosUntil(quorum.timing().now())));
            }
        }

        private void end(ExtendOutcome came) {
            tellObserver(came);
            if (renewal == this) {
                renewal = null;
            }
            if (outcome != null) {
                outcome.complete(came);
            }
            done.complete(null);
            arm(quorum.timing().now());
            if (!over && hold == null) {
                queue.serve();
            }
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
    public void granted(int node, OwnerId owner, long fence, @Nullable LockValue told) {
        executor.execute(() -> {
            if (over || !ballot.isOwner(node, owner)) {
                quorum.giveBack(node, ballot.settings().resource(), owner);
            } else {
                kept.told(node, told);
            }
        });
    }

    @Override
    public void contended(int node, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue told) {
        executor.execute(() -> tellContended(waiter));
    }

    private void tellContended(Ticket waiter) {
        if (over || contender != null) {
            return;
        }
        contender = waiter;
        if (hold != null) {
            hold.isContended(waiter);
        } else {
            queue.serve();
        }
    }

    /** The next extension heals the node, and carries what the node may have lost. */
    @Override
    public void clockMoved() {
        executor.execute(this::poke);
    }

    @Override
    public void available(int node) {
        executor.execute(() -> kept.forget(node));
    }

    // ---- the end

    private void lose(Loss.Reason reason, String detail) {
        Loss event = new Loss(name(), reason, detail);
        Hold loser = hold;
        if (loser != null) {
            loser.ends(); // before others can have it
        }
        end();
        LOG.log(loser == null ? Level.DEBUG : Level.WARNING, event.toString());
        if (loser != null) {
            loser.isLost(event);
        }
        queue.ended(this);
    }

    /** Gives it back to the nodes. */
    CompletableFuture<ReleaseOutcome> end() {
        return end(null);
    }

    /** Leaves it to the nodes, which keep it until its votes end. */
    void abandon() {
        over = true;
        hold = null;
        if (timer != null) {
            timer.cancel();
        }
        quorum.unregister(ballot.attempt());
    }

    /**
     * Gives it back to the nodes, which keep the resource closed if there is a seal. Also of a lease that is lost, whose votes are gone, but
     * whose work was done.
     */
    CompletableFuture<ReleaseOutcome> end(@Nullable Seal seal) {
        abandon();
        return Release.of(quorum, executor, ballot, seal, kept, valueToKeep());
    }

    @Override
    public String toString() {
        return name() + ", " + mode();
    }
}
