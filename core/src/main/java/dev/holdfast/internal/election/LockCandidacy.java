package dev.holdfast.internal.election;

import dev.holdfast.election.Candidacy;
import dev.holdfast.election.Candidate;
import dev.holdfast.election.Election;
import dev.holdfast.election.Leadership;
import dev.holdfast.internal.lease.Standby;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockNotAcquiredException;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.Waiting;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A candidacy that waits in the queue of a lock, leads, and queues again. Its state changes only on one serial executor. */
final class LockCandidacy implements Candidacy {

    private static final System.Logger LOG = System.getLogger(Candidacy.class.getName());
    private static final long SHORTEST_PAUSE_NANOS = 100_000_000;
    private static final long LONGEST_PAUSE_NANOS = 10_000_000_000L;
    private static final int MOST_DOUBLINGS = 10;

    private final Election election;
    private final DistributedLock lock;
    private final Candidate candidate;
    private final Candidacies candidacies;
    private final Timing timing;
    private final SerialExecutor executor = new SerialExecutor();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Set<Thread> toldNow = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;
    private volatile @Nullable LeaseLeadership leadership;

    // accessed on the serial executor
    private @Nullable CompletableFuture<Acquisition> attempt;
    private @Nullable Lease taken; // leads under it once the announcement is written
    private @Nullable Timer pause;
    private int failures;
    private long madeWayIn; // the last term after which this candidate made way for a named successor, 0 for none
    private boolean complained;

    LockCandidacy(
            Election election, DistributedLock lock, Candidate candidate, Candidacies candidacies, Timing timing) {
        this.election = election;
        Consumer<Waiting> own = this::waits;
        this.lock = lock.onWaiting(
                (Standby) lock.options().onWaiting().map(own::andThen).orElse(own)::accept);
        this.candidate = candidate;
        this.candidacies = candidacies;
        this.timing = timing;
    }

    @Override
    public Election election() {
        return election;
    }

    @Override
    public Optional<Leadership> leadership() {
        return Optional.<Leadership>ofNullable(leadership).filter(Leadership::isLeader);
    }

    // ---- in the queue

    /**
     * Joins the queue for the first time.
     *
     * @throws HoldfastClosedException if the client is closed
     */
    void begin() {
        CompletableFuture<Acquisition> asked = lock.tryAcquireAsync(DistributedLock.FOREVER);
        candidacies.add(this);
        step(() -> ask(asked));
    }

    private void ask(CompletableFuture<Acquisition> asked) {
        attempt = asked;
        asked.whenComplete((said, failure) -> step(() -> answered(said, failure)));
    }

    private void stand() {
        pause = null;
        if (closing) {
            end();
            return;
        }
        try {
            ask(lock.tryAcquireAsync(DistributedLock.FOREVER));
        } catch (HoldfastClosedException e) {
            end();
        }
    }

    /** Logs once that the candidate waits without a majority of nodes, and again only after a majority has answered. */
    private void waits(Waiting waiting) {
        long answering = waiting.nodes().stream()
                .map(NodeReport::kind)
                .filter(NodeReport.Kind::isAnswer)
                .count();
        boolean tooFew = answering <= waiting.nodes().size() / 2;
        boolean longEnough = waiting.waited().compareTo(election.ttl()) >= 0;
        step(() -> {
            if (!tooFew) {
                complained = false;
            } else if (longEnough) {
                complain(answering + " of " + waiting.nodes().size() + " nodes answer " + waiting.nodes());
            }
        });
    }

    private void complain(@Nullable String why) {
        if (!complained) {
            complained = true;
            LOG.log(
                    Level.WARNING,
                    "Candidate ''{0}'' can''t be elected in ''{1}'' for now, and keeps trying: {2}",
                    election.candidateName(),
                    election.name(),
                    why);
        }
    }

    private void answered(@Nullable Acquisition said, @Nullable Throwable failure) {
        attempt = null;
        if (said instanceof Acquisition.Held got) {
            granted(got.lease());
        } else if (said instanceof Acquisition.Refused no) {
            refused(no.refusal().reason(), no.refusal().exception());
        } else if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            boolean closed = cause instanceof HoldfastClosedException || cause instanceof CancellationException;
            refused(closed ? Refusal.Reason.CLOSED : Refusal.Reason.NO_QUORUM, cause);
        }
    }

    private void refused(Refusal.Reason reason, Throwable why) {
        if (reason == Refusal.Reason.CLOSED || closing) {
            end();
        } else {
            complain(why instanceof LockNotAcquiredException no ? no.getMessage() : why.toString());
            failures = why instanceof LockNotAcquiredException ? 0 : failures; // the candidate has already waited
            standLater();
        }
    }

    private void standLater() {
        long longest = SHORTEST_PAUSE_NANOS << Math.min(failures, MOST_DOUBLINGS);
        long most = Math.min(longest, LONGEST_PAUSE_NANOS);
        failures++;
        pause = timing.scheduler().schedule(someOf(most), () -> step(this::stand));
    }

    private long someOf(long nanos) {
        return timing.random().nextLong(nanos / 2, nanos + 1);
    }

    // ---- its turn

    private void granted(Lease lease) {
        complained = false;
        Optional<ElectionRecord> before = lease.value().flatMap(ElectionRecord::parse);
        if (closing || before.filter(this::isForAnother).isPresent()) {
            before.ifPresent(record -> madeWayIn = record.term());
            giveBack(lease, this::stand);
        } else {
            ElectionRecord record = new ElectionRecord(
                    lease.fencingToken(),
                    timing.ticker().wallMillis(),
                    ElectionRecord.ownerOf(lease.owner()),
                    election.candidateName(),
                    "",
                    before.map(ElectionRecord::state).orElse(""));
            announce(lease, record);
        }
    }

    /** Returns whether the previous leader handed over to another candidate, and this candidate has not yet made way for it. */
    private boolean isForAnother(ElectionRecord before) {
        return !before.successor().isEmpty()
                && !before.successor().equals(election.candidateName())
                && before.term() != madeWayIn;
    }

    private void giveBack(Lease lease, Runnable then) {
        lease.releaseAsync().whenComplete((outcome, failure) -> step(then));
    }

    /** Announces the leader in the lock's value. A candidate leads only once a majority of nodes can name it as the leader. */
    private void announce(Lease lease, ElectionRecord record) {
        taken = lease;
        CompletableFuture<WriteOutcome> written;
        try {
            written = lease.writeValueAsync(record.text());
        } catch (RuntimeException e) { // release the lock: otherwise it would stay held without a leader
            LOG.log(Level.ERROR, "Candidate '" + election.candidateName() + "' can't announce that it leads", e);
            taken = null;
            giveBack(lease, this::standLater);
            return;
        }
        written.whenComplete((outcome, failure) -> step(() -> announced(lease, record, outcome)));
    }

    private void announced(Lease lease, ElectionRecord record, @Nullable WriteOutcome outcome) {
        taken = null;
        if (closing) {
            giveBack(lease, this::stand);
        } else if (outcome == WriteOutcome.WRITTEN && lease.isHeld()) {
            lead(lease, record);
        } else if (outcome == WriteOutcome.UNCONFIRMED && lease.isHeld()) {
            taken = lease;
            long pauseNanos = Math.min(election.ttl().toNanos() / 10, SHORTEST_PAUSE_NANOS);
            pause = timing.scheduler()
                    .schedule(
                            someOf(pauseNanos),
                            () -> step(() -> {
                                pause = null;
                                announce(lease, record);
                            }));
        } else {
            giveBack(lease, this::standLater);
        }
    }

    private void lead(Lease lease, ElectionRecord record) {
        LeaseLeadership begun = new LeaseLeadership(election, this, candidate, lease, record, timing);
        leadership = begun;
        LOG.log(Level.DEBUG, "{0} leads in term {1}", this, Long.toString(begun.term()));
        begun.begin();
    }

    /** Returns how long a leader since that time may still lead, whether or not its lease is extended. */
    long nanosToMaxHold(long sinceMillis) {
        long ledNanos = TimeUnit.MILLISECONDS.toNanos(timing.ticker().wallMillis() - sinceMillis);
        return Durations.saturatedNanos(lock.options().maxHold()) - Math.max(ledNanos, 0);
    }

    /** Continues after a leadership: the work has ended and the lock is released. Runs on the serial executor. */
    void leadershipEnded(LeaseLeadership over, @Nullable Throwable failure) {
        leadership = null;
        if (failure == null) {
            failures = 0;
            stand();
        } else {
            tell(() -> candidate.onError(failure));
            if (closing) {
                end();
            } else {
                standLater();
            }
        }
    }

    // ---- the end

    @Override
    public void close() {
        CompletableFuture<Void> end = startClose();
        if (!toldNow.contains(Thread.currentThread()) && candidacies.mayWait()) {
            Await.uninterruptibly(end);
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        startClose();
        return ended();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return (ended.isDone() ? ended : Await.onWorker(ended, timing.scheduler())).copy();
    }

    CompletableFuture<Void> startClose() {
        closing = true;
        stepDown(); // on this thread, since a call by the work itself must not interrupt the work
        step(this::leave);
        return ended;
    }

    /** Ends the candidacy because the client has closed: it has released everything that it could, and its timers no longer run. */
    void clientEnded() {
        closing = true;
        step(() -> {
            LeaseLeadership last = leadership;
            if (last != null) {
                last.clientEnded();
            }
            end();
        });
    }

    private void leave() {
        CompletableFuture<Acquisition> asking = attempt;
        Timer waiting = pause;
        if (asking != null) {
            asking.cancel(true);
        } else if (leadership != null) {
            stepDown();
        } else if (waiting != null) {
            waiting.cancel();
            Lease unannounced = taken;
            if (unannounced == null) {
                end();
            } else {
                giveBack(unannounced, this::end);
            }
        }
    }

    private void stepDown() {
        LeaseLeadership now = leadership;
        if (now != null) {
            now.stepDown().thenRun(() -> step(this::end));
        }
    }

    private void end() {
        candidacies.remove(this);
        ended.complete(null);
    }

    // ---- for its leaderships

    /** Runs a step on the serial executor. */
    void step(Runnable step) {
        executor.execute(step);
    }

    /** Runs one of the candidate's callbacks on a worker thread. The future completes when the callback has ended. */
    CompletableFuture<Void> tell(Runnable callback) {
        CompletableFuture<Void> told = new CompletableFuture<>();
        timing.scheduler().execute(() -> {
            toldNow.add(Thread.currentThread());
            try {
                callback.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, "A callback of candidate '" + election.candidateName() + "' failed", e);
            } finally {
                toldNow.remove(Thread.currentThread());
                told.complete(null);
            }
        });
        return told;
    }

    @Override
    public String toString() {
        return "Candidacy[" + election.name() + ", " + election.candidateName() + "]";
    }
}
