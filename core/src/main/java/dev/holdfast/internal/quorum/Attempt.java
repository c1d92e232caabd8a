package dev.holdfast.internal.quorum;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One try of a client to get a resource (PROTOCOL §4, "Attempt" to "No majority is possible").
 *
 * <p>ASKING for votes until a majority of them is in; RAISING the lower ones if they bear different fences; then WON, and a lease is made,
 * or ENDED, and whatever was granted is given back. All steps run on one serial executor.
 */
public final class Attempt implements PushTarget {

    private static final System.Logger LOG = System.getLogger(Attempt.class.getName());

    private enum Phase {
        ASKING,
        RAISING,
        WON,
        ENDED,
    }

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long JITTER_NANOS = 3 * NANOS_PER_MILLI;
    private static final long FIRST_POLL_NANOS = 10 * NANOS_PER_MILLI;
    private static final long LONGEST_POLL_NANOS = 500 * NANOS_PER_MILLI;
    private static final int MOST_SPLITS = 5;
    private static final long SPLIT_NANOS = 5 * NANOS_PER_MILLI;

    private final Quorum quorum;
    private final AttemptSettings settings;
    private final Ballot ballot;
    private final NodeView[] views;
    private final Kept kept;
    private @Nullable Onlooker onlooker;
    private final long driftNanos;
    private final SerialExecutor executor;
    private final Consumer<AttemptResult> listener;
    private final Moment started;
    private final Runnable starved;
    private @Nullable MajorityWatch majority; // made once a majority does not answer

    private Phase phase = Phase.ASKING;
    private boolean waiting;
    private boolean deadlinePassed;
    private long floor; // the fence that a majority is raised to
    private long
            longestTtlMillis; // of votes for this resource, as far as the nodes have told; nodes are quarantined by it
    private @Nullable Timer deadlineTimer;
    private @Nullable Timer askAnewTimer; // after the votes were split
    private int splits;
    private @Nullable Timer askTimer;
    private long askTimerNanos;

    private Attempt(
            Quorum quorum,
            AttemptSettings settings,
            SerialExecutor executor,
            Consumer<AttemptResult> listener,
            Runnable starved) {
        this.quorum = quorum;
        this.settings = settings;
        this.executor = executor;
        this.listener = listener;
        this.started = quorum.timing().now();
        this.waiting = settings.waits();
        this.driftNanos = Validity.driftNanos(settings.ttlNanos());
        this.longestTtlMillis = settings.ttlMillis();
        this.ballot = new Ballot(
                settings,
                quorum.client(),
                quorum.tickets().next(),
                quorum.copies().firstRound(),
                quorum.size());
        this.views = new NodeView[quorum.size()];
        this.kept = new Kept(views.length);
        for (int node = 0; node < views.length; node++) {
            views[node] = new NodeView(quorum, node);
        }
        this.starved = starved;
    }

    /**
     * Begins to ask; returns before the answers are in.
     *
     * @param executor where all its steps run
     * @param listener told there how it ended, once; on a node's thread or a timer's, so what it does must be short and must not block
     */
    public static Attempt start(
            Quorum quorum, AttemptSettings settings, SerialExecutor executor, Consumer<AttemptResult> listener) {
        return start(quorum, settings, executor, listener, () -> {});
    }

    /**
     * As {@link #start(Quorum, AttemptSettings, SerialExecutor, Consumer)}.
     *
     * @param starved run on the serial executor, perhaps more than once, when no majority of nodes has answered for the client's noQuorumTimeout
     */
    public static Attempt start(
            Quorum quorum,
            AttemptSettings settings,
            SerialExecutor executor,
            Consumer<AttemptResult> listener,
            Runnable starved) {
        Attempt attempt = new Attempt(quorum, settings, executor, listener, starved);
        quorum.register(attempt.ballot.attempt(), attempt);
        executor.execute(attempt::begin);
        return attempt;
    }

    /** Gives up, and gives back whatever was granted; too late once the result is there. */
    public void cancel(Refusal.Reason reason) {
        executor.execute(() -> end(reason));
    }

    /** Reports to this observer from now on, on the serial executor, how the attempt is doing while it waits. Only on the serial executor. */
    public void observe(Consumer<Waiting> observer) {
        if (waiting) {
            onlooker = new Onlooker(observer);
            if (hasHeardAny()) {
                tellOnlooker();
            }
        }
    }

    private boolean hasHeardAny() {
        for (NodeView view : views) {
            if (view.heard) {
                return true;
            }
        }
        return false;
    }

    /** The time to wait is over, on the serial executor: ends once the first round of answers is in. */
    public void expire() {
        if (isLive()) {
            deadlinePassed();
        }
    }

    /** Whether every node has answered, or timed out, at least once. Only on the serial executor. */
    public boolean hasHeardAll() {
        for (NodeView view : views) {
            if (!view.heard) {
                return false;
            }
        }
        return true;
    }

    private void begin() {
        if (waiting && settings.waitNanos() != Long.MAX_VALUE) {
            deadlineTimer = quorum.timing()
                    .scheduler()
                    .schedule(settings.waitNanos(), () -> executor.execute(this::deadlinePassed));
        }
        ask(quorum.all());
    }

    /** The first round of answers is waited for, one node timeout at most, however short the wait. */
    private void deadlinePassed() {
        deadlinePassed = true;
        evaluate();
    }

    // ---- asking

    private void ask(NodeView view) {
        BitSet one = new BitSet();
        one.set(view.node);
        ask(one);
    }

    private void ask(BitSet wanted) {
        Moment now = quorum.timing().now();
        BitSet nodes = withoutQuarantined(wanted, now);
        if (nodes.isEmpty()) {
            return;
        }
        for (NodeView view : views) {
            if (nodes.get(view.node)) {
                view.queuedSince = view.queuedSince == null ? now : view.queuedSince;
                view.askAtNanos = now.nanos() + settings.waiterTtlNanos() / 3;
                view.open++;
                view.asked = quorum.server(view.node);
            }
        }
        Question question = new Question(now);
        ballot.asked(nodes, settings.ttlMillis());
        FanOut.send(
                quorum,
                executor,
                nodes,
                settings.nodeTimeoutNanos(),
                NodeOperation.ACQUIRE,
                (node, index) -> node.acquire(question.to(index)),
                question);
    }

    /** A node that is quarantined for the longer ttl of others would be asked for votes that do not count: the node only knows this request's ttl. */
    private BitSet withoutQuarantined(BitSet nodes, Moment now) {
        if (longestTtlMillis == settings.ttlMillis()) {
            return nodes;
        }
        BitSet counted = new BitSet();
        for (NodeView view : views) {
            if (nodes.get(view.node)) {
                long remaining = quorum.quarantineMillis(view.node, longestTtlMillis);
                counted.set(view.node, remaining == 0);
                if (remaining > 0) {
                    quarantine(view, remaining, now);
                }
            }
        }
        return counted;
    }

    /** The node's votes do not count: whatever it has of this attempt is released, so that it holds up nobody. */
    private void quarantine(NodeView view, long remainingMillis, Moment now) {
        view.heard = true;
        if (mayBeKnownAt(view)) {
            giveBack(view);
        }
        view.vote = null;
        view.report = new NodeReport(
                quorum.name(view.node), NodeReport.Kind.QUARANTINED, "", Duration.ofMillis(remainingMillis), 0);
        askAgain(view, now, remainingMillis * NANOS_PER_MILLI);
    }

    /** A node remembers votes with a longer ttl: nodes that are too young for those no longer count. */
    private void learnTtl(long ttlMillis) {
        if (ttlMillis > longestTtlMillis) {
            longestTtlMillis = ttlMillis;
            Moment now = quorum.timing().now();
            for (NodeView view : views) {
                long remaining = quorum.quarantineMillis(view.node, ttlMillis);
                if (remaining > 0 && view.touched) {
                    quarantine(view, remaining, now);
                }
            }
        }
    }

    /** Whether the node's vote or place in the queue counts; what it has is released if not. */
    private boolean counts(NodeView view, Moment now) {
        long remaining = quorum.quarantineMillis(view.node, longestTtlMillis);
        if (remaining > 0) {
            view.touched = true;
            quarantine(view, remaining, now);
        }
        return remaining == 0;
    }

    /** One round of questions, sent at one moment, and what comes of it. */
    private final class Question implements Receiver<AcquireAnswer> {

        private final Moment sent;
        private final int[] rounds = new int[views.length];
        private final long[] floors = new long[views.length];
        private final Quorum.@Nullable Server[] servers = new Quorum.@Nullable Server[views.length];

        Question(Moment sent) {
            this.sent = sent;
            for (NodeView view : views) {
                rounds[view.node] = ballot.round(view.node);
                servers[view.node] = view.asked;
                floors[view.node] = phase == Phase.RAISING && view.vote != null ? floor : 0;
            }
        }

        AcquireRequest to(int node) {
            return new AcquireRequest(
                    settings.resource(),
                    ballot.owner(node),
                    settings.mode(),
                    settings.ttlMillis(),
                    waiting && floors[node] == 0,
                    settings.waiterTtlMillis(),
                    settings.tokens(),
                    floors[node],
                    false);
        }

        @Override
        public void answered(int node, AcquireAnswer told, boolean late) {
            AcquireAnswer answer = quorum.counted(node, servers[node], told);
            views[node].open -= late ? 0 : 1;
            views[node].silent = false;
            if (ballot.answered(node, rounds[node], answer)) {
                Release.behind(quorum, executor, ballot, node, rounds[node]);
            }
            quorum.tickets().observe(answer.latestTicketTime());
            learn(node, rounds[node], answer, sent, floors[node]);
            if (isLive()) {
                views[node].heard = true;
                if (ballot.round(node) == rounds[node]) {
                    hear(views[node], answer, sent, floors[node]);
                }
                evaluate();
                yieldIfAsked(views[node]);
                askAgainInTime();
            }
        }

        /** Unknown, not no: a vote that is known stands until it expires. */
        @Override
        public void timedOut(int node) {
            views[node].open--;
            views[node].silent = true;
            ballot.timedOut(node, rounds[node]);
            if (isLive()) {
                views[node].heard = true;
                if (ballot.round(node) == rounds[node]) {
                    String after = "after " + settings.nodeTimeoutNanos() / NANOS_PER_MILLI + " ms";
                    views[node].report = report(node, NodeReport.Kind.TIMEOUT, after);
                }
                evaluate();
                askAgainInTime();
            }
        }
    }

    /** What it tells beyond the vote, also after the end: the lease writes it back, and a seal is written back at once if there is none. */
    private void learn(int node, int round, AcquireAnswer answer, Moment sent, long askedFloor) {
        if (answer instanceof Granted granted && askedFloor == 0 && round == ballot.round(node)) {
            kept.told(node, granted.value());
        } else if (answer instanceof Sealed sealed) {
            views[node].sealed = true;
            boolean first = kept.seal(quorum.timing().now()) == null;
            kept.sealed(sealed.seal(), sent);
            if (first && phase == Phase.ENDED) {
                passSealOn();
            }
        }
    }

    private boolean isLive() {
        return phase == Phase.ASKING || phase == Phase.RAISING;
    }

    private void hear(NodeView view, AcquireAnswer answer, Moment sent, long askedFloor) {
        Moment now = quorum.timing().now();
        learnTtl(answer.longestTtlMillis());
        if ((answer instanceof Granted || answer instanceof Queued) && !counts(view, now)) {
            LOG.log(
                    Level.DEBUG,
                    "Released {0} on {1}: the node is quarantined",
                    settings.name(),
                    quorum.name(view.node));
        } else if (answer instanceof Granted granted) {
            view.granted(granted.fence(), granted.value(), new Deadline(sent, settings.ttlNanos()), now);
            view.contender = granted.contender();
            view.report = quorum.report(view.node, NodeReport.Kind.GRANTED);
        } else if (answer instanceof Queued queued) {
            view.queued(queued.fence(), sent, now);
            view.report = blocked(
                    view.node, NodeReport.Kind.QUEUED, queued.blocker(), queued.remainingMillis(), queued.place());
            boolean poll = queued.blocker() != null && queued.blocker().kind() != Blocker.Kind.HOLDFAST;
            askAgain(
                    view,
                    now,
                    poll ? nextPoll(view, queued.remainingMillis()) : queued.remainingMillis() * NANOS_PER_MILLI);
        } else if (answer instanceof Denied denied) {
            denied(view, denied, askedFloor);
            askAgain(view, now, nextPoll(view, denied.remainingMillis()));
        } else if (answer instanceof Sealed sealed) {
            sealed(view, Kept.reported(sealed.seal(), sent, now));
        } else if (answer instanceof Quarantined quarantined) {
            quarantine(view, quarantined.remainingMillis(), now);
        } else if (answer instanceof Unavailable unavailable) {
            view.report = report(view.node, NodeReport.Kind.ERROR, unavailable.reason());
            askAgain(view, now, nextPoll(view, 0));
        }
        tellOnlooker();
    }

    /** A raise refused is a vote lost; whatever is left of it there is given back before the node is asked anew. */
    private void denied(NodeView view, Denied denied, long askedFloor) {
        boolean gone = view.vote != null || askedFloor > 0 || denied.reason() == Denied.Reason.BURIED;
        view.vote = null;
        view.touched = gone;
        view.blocker = denied.blocker();
        view.report = blocked(view.node, NodeReport.Kind.HELD, denied.blocker(), denied.remainingMillis(), 0);
        if (gone && waiting) {
            giveBack(view);
        }
    }

    /** One SEALED proves that the work was done: all others are sealed too. */
    private void sealed(NodeView view, Seal seal) {
        view.vote = null;
        Duration remaining = seal.remainingMillis() < 0 ? null : Duration.ofMillis(seal.remainingMillis());
        view.report =
                new NodeReport(quorum.name(view.node), NodeReport.Kind.SEALED, "by " + seal.displayBy(), remaining, 0);
        end(Refusal.Reason.SEALED, seal);
    }

    // ---- a majority of votes

    private void evaluate() {
        if (!isLive()) {
            return;
        }
        Moment now = quorum.timing().now();
        if (votes(0, now) >= quorum.majority()) {
            long fence = Math.max(floor, largestFence(now));
            if (votes(fence, now) >= quorum.majority()) {
                win(fence, now);
                return;
            }
            raise(fence, now);
        } else if (phase == Phase.RAISING) {
            phase = Phase.ASKING; // votes were lost meanwhile; the others may be wanted by earlier requests
            for (NodeView view : views) {
                yieldIfAsked(view);
            }
        }
        watchMajority();
        endIfHopeless();
    }

    /** Whoever waits without a majority of answers may wait for ever, and has to be told. */
    private void watchMajority() {
        if (!waiting) {
            return;
        }
        if (answering() >= quorum.majority()) {
            if (majority != null) {
                majority.answered();
            }
            quorum.alarm().answered();
        } else if (hasAnyFailed()) {
            if (majority == null) {
                majority = new MajorityWatch(quorum, executor, settings.name(), this::reports, starved);
            }
            majority.lacks();
        }
    }

    private boolean hasAnyFailed() {
        for (NodeView view : views) {
            if (view.report != null && !view.report.kind().isAnswer()) {
                return true;
            }
        }
        return false;
    }

    /** How many votes count that bear at least this fence. */
    private int votes(long fence, Moment now) {
        int votes = 0;
        for (NodeView view : views) {
            votes += view.hasVote(driftNanos, now) && view.voteFence() >= fence ? 1 : 0;
        }
        return votes;
    }

    private long largestFence(Moment now) {
        long largest = 0;
        for (NodeView view : views) {
            largest = view.hasVote(driftNanos, now) ? Math.max(largest, view.voteFence()) : largest;
        }
        return largest;
    }

    private void raise(long fence, Moment now) {
        floor = fence;
        phase = Phase.RAISING;
        BitSet lower = new BitSet();
        for (NodeView view : views) {
            if (view.hasVote(driftNanos, now) && view.voteFence() < fence && view.raisedTo < fence) {
                view.raisedTo = fence;
                lower.set(view.node);
            }
        }
        ask(lower);
    }

    private void win(long fence, Moment now) {
        phase = Phase.WON;
        stopWaiting();
        List<Deadline> ends = new ArrayList<>(views.length);
        boolean isShort = false;
        Ticket contender = null;
        LockValue value = null;
        for (NodeView view : views) {
            if (view.hasVote(driftNanos, now) && view.voteFence() == fence) {
                Deadline until = view.voteUntil();
                ends.add(until);
                isShort |= until.lengthNanos() < settings.ttlNanos();
            }
            value = view.hasVote(driftNanos, now) ? LockValue.later(view.value, value) : value;
            Ticket waiter = view.contender;
            contender = waiter != null && (contender == null || waiter.isBefore(contender)) ? waiter : contender;
        }
        Deadline validity = Validity.of(ends, quorum.majority(), driftNanos, now);
        listener.accept(
                new AttemptResult.Won(new Grant(ballot, fence, validity, isShort, contender, value, kept, now)));
    }

    /** An earlier request waits behind this vote, and this attempt has no majority: the vote goes to it. */
    private void yieldIfAsked(NodeView view) {
        Ticket contender = view.contender;
        if (phase != Phase.ASKING || view.vote == null || contender == null || !contender.isBefore(ballot.ticket())) {
            return;
        }
        giveBack(view);
        view.report = report(view.node, NodeReport.Kind.YIELDED, "to " + contender.client());
        if (waiting) {
            ask(view);
        }
    }

    private void giveBack(NodeView view) {
        Release.at(quorum, executor, ballot, view.node);
        view.forget();
        ballot.nextRound(view.node);
    }

    // ---- pushes

    @Override
    public void granted(int node, OwnerId owner, long fence, @Nullable LockValue value) {
        executor.execute(() -> {
            boolean mine = phase != Phase.ENDED && ballot.isOwner(node, owner);
            if (!mine) {
                quorum.giveBack(node, settings.resource(), owner);
            } else if (isLive()) {
                believe(views[node], fence, value);
                evaluate();
            }
        });
    }

    @Override
    public void contended(int node, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value) {
        executor.execute(() -> {
            if (isLive() && ballot.isOwner(node, owner)) {
                believe(views[node], fence, value);
                views[node].contender = waiter;
                evaluate();
                yieldIfAsked(views[node]);
            } else if (phase == Phase.WON) { // the push was read before the lease took its pushes over
                quorum.contended(this, node, owner, fence, waiter, value);
            }
        });
    }

    /** A push tells of a vote; one that bears no more than the last QUEUED answer is older than that, and stale. */
    private void believe(NodeView view, long fence, @Nullable LockValue value) {
        Moment now = quorum.timing().now();
        boolean known = view.vote != null && !view.vote.until().isPast(now);
        if (!counts(view, now)) {
            return;
        }
        if (!known && fence > view.seenFence && view.queuedSince != null && quorum.counts(view.node, view.asked)) {
            long life = Math.min(settings.ttlNanos(), settings.waiterTtlNanos());
            view.granted(fence, value, new Deadline(view.queuedSince, life), now);
            kept.told(view.node, value);
            view.report = quorum.report(view.node, NodeReport.Kind.GRANTED);
        }
    }

    @Override
    public void clockMoved() {
        executor.execute(this::evaluate);
    }

    @Override
    public void available(int node) {
        executor.execute(() -> {
            kept.forget(node);
            if (isLive() && waiting && views[node].heard) {
                ask(views[node]);
            }
        });
    }

    // ---- asking again

    private void askAgain(NodeView view, Moment now, long delayNanos) {
        long jitter = quorum.timing().random().nextLong(JITTER_NANOS / 6, JITTER_NANOS);
        long delay = Math.min(Math.max(delayNanos, 0) + jitter, settings.waiterTtlNanos() / 3);
        view.askAtNanos = now.nanos() + delay;
        askAgainInTime();
    }

    /** Exponential from 10 ms to 500 ms with full jitter, bounded by the time the holder has left. */
    private long nextPoll(NodeView view, long remainingMillis) {
        long longest = Math.min(FIRST_POLL_NANOS << Math.min(view.polls++, 10), LONGEST_POLL_NANOS);
        long delay = quorum.timing().random().nextLong(FIRST_POLL_NANOS / 2, longest);
        return remainingMillis > 0 ? Math.min(delay, remainingMillis * NANOS_PER_MILLI) : delay;
    }

    private void askAgainInTime() {
        if (!waiting || deadlinePassed || !isLive()) {
            return;
        }
        long now = quorum.timing().ticker().nanos();
        long soonest = Long.MAX_VALUE;
        for (NodeView view : views) {
            soonest = Math.min(soonest, view.askAtNanos - now);
        }
        if (askTimer != null && askTimerNanos - now <= soonest && askTimerNanos - now > 0) {
            return; // it comes early enough, and will look again
        }
        if (askTimer != null) {
            askTimer.cancel();
        }
        askTimerNanos = now + Math.max(soonest, 0);
        askTimer =
                quorum.timing().scheduler().schedule(Math.max(soonest, 0), () -> executor.execute(this::askThoseDue));
    }

    private void askThoseDue() {
        askTimer = null;
        if (isLive() && !deadlinePassed) {
            long now = quorum.timing().ticker().nanos();
            BitSet due = new BitSet();
            for (NodeView view : views) {
                due.set(view.node, view.askAtNanos - now <= 0);
            }
            ask(due);
            evaluate(); // votes may have run out meanwhile
            askAgainInTime();
        }
    }

    // ---- no majority

    private void endIfHopeless() {
        boolean idle = !isAnyWaitedFor();
        boolean mayEnd = waiting ? deadlinePassed && hasHeardAll() && (idle || phase != Phase.RAISING) : idle;
        if (isLive() && mayEnd && askAnewTimer == null) {
            Refusal.Reason reason = reason();
            if (reason == Refusal.Reason.HELD && !waiting && splits < MOST_SPLITS && isSplit()) {
                askAnewLater();
            } else {
                end(reason);
            }
        }
    }

    /** Whether an answer is under way that is worth its time: not of a node that was silent for a whole node timeout, when all are asked once more. */
    private boolean isAnyWaitedFor() {
        for (NodeView view : views) {
            if (view.open > 0 && !(view.silent && splits > 0)) {
                return true;
            }
        }
        return false;
    }

    /** Where several who do not wait have split the votes, nobody has the lock: whoever asks again first gets it. */
    private void askAnewLater() {
        for (NodeView view : views) {
            if (mayBeKnownAt(view)) {
                giveBack(view);
            }
        }
        long longest = SPLIT_NANOS << splits++;
        long delay = quorum.timing().random().nextLong(longest) + 1;
        askAnewTimer = quorum.timing().scheduler().schedule(delay, () -> executor.execute(this::askAnew));
    }

    private void askAnew() {
        askAnewTimer = null;
        if (isLive()) {
            ask(quorum.all());
            evaluate(); // no node may count any more, and then no answer comes
        }
    }

    private Refusal.Reason reason() {
        return answering() >= quorum.majority() ? Refusal.Reason.HELD : Refusal.Reason.NO_QUORUM;
    }

    private int answering() {
        int answering = 0;
        for (NodeView view : views) {
            answering += view.report != null && view.report.kind().isAnswer() ? 1 : 0;
        }
        return answering;
    }

    /** Those who said no name several holders and none of them a majority of times, and nobody stands in line. */
    private boolean isSplit() {
        Map<String, Integer> votes = new HashMap<>();
        for (NodeView view : views) {
            if (view.report != null && view.report.kind() == NodeReport.Kind.HELD) {
                if (view.blocker == null) {
                    return false;
                }
                String owner = view.blocker.owner();
                votes.merge(OwnerId.parse(owner).map(OwnerId::withoutRound).orElse(owner), 1, Integer::sum);
            }
        }
        return votes.values().stream().allMatch(count -> count < quorum.majority());
    }

    private void end(Refusal.Reason reason) {
        end(reason, null);
    }

    private void end(Refusal.Reason reason, @Nullable Seal seal) {
        if (!isLive()) {
            return;
        }
        phase = Phase.ENDED;
        stopWaiting();
        quorum.unregister(ballot.attempt());
        Seal known = kept.seal(quorum.timing().now());
        BitSet nodes = new BitSet();
        for (NodeView view : views) {
            nodes.set(view.node, mayBeKnownAt(view) || lacks(view, known));
        }
        ballot.end();
        Release.start(quorum, executor, ballot, nodes, known);
        listener.accept(new AttemptResult.Refused(refusal(reason, seal)));
    }

    /** Whether the node may have something of this attempt that has to be given back. */
    private boolean mayBeKnownAt(NodeView view) {
        return view.touched || ballot.hasUnanswered(view.node);
    }

    /** Whether it is not known to be sealed, though another node is: one that restarted empty must not be the last one that is asked. */
    private static boolean lacks(NodeView view, @Nullable Seal seal) {
        return seal != null && !view.sealed;
    }

    /** The first node that knows of a seal has answered after the end. */
    private void passSealOn() {
        Seal seal = kept.seal(quorum.timing().now());
        BitSet nodes = new BitSet();
        for (NodeView view : views) {
            nodes.set(view.node, lacks(view, seal));
        }
        Release.start(quorum, executor, ballot, nodes, seal);
    }

    private void stopWaiting() {
        if (majority != null) {
            majority.stop();
        }
        if (deadlineTimer != null) {
            deadlineTimer.cancel();
        }
        if (askTimer != null) {
            askTimer.cancel();
        }
        if (askAnewTimer != null) {
            askAnewTimer.cancel();
        }
    }

    // ---- what people are told

    /** Why somebody who gives up now has no lease, while this goes on for others. Only on the serial executor. */
    public Refusal refusal() {
        return refusal(reason(), null);
    }

    private Refusal refusal(Refusal.Reason reason, @Nullable Seal seal) {
        return new Refusal(settings.name(), reason, waited(), reports(), seal == null ? null : seal.sealedWork());
    }

    private List<NodeReport> reports() {
        return Arrays.stream(views)
                .map(view -> view.report != null ? view.report : quorum.report(view.node, NodeReport.Kind.NOT_ASKED))
                .toList();
    }

    private Duration waited() {
        return Duration.ofNanos(started.nanosUntil(quorum.timing().now()));
    }

    private NodeReport report(int node, NodeReport.Kind kind, String detail) {
        return new NodeReport(quorum.name(node), kind, detail, null, 0);
    }

    private NodeReport blocked(
            int node, NodeReport.Kind kind, @Nullable Blocker blocker, long remainingMillis, int place) {
        String detail = blocker == null ? "" : (kind == NodeReport.Kind.HELD ? "by " : "behind ") + blocker.display();
        long remaining = blocker == null ? remainingMillis : blocker.remainingMillis();
        return new NodeReport(
                quorum.name(node), kind, detail, remaining > 0 ? Duration.ofMillis(remaining) : null, place);
    }

    private void tellOnlooker() {
        if (onlooker != null && isLive()) {
            onlooker.see(
                    settings.name(),
                    quorum.majority(),
                    waited(),
                    reports(),
                    ballot.owner().withoutRound());
        }
    }
}
