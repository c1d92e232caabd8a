package dev.holdfast.election;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.ThreadLeases;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One term of one leader. Thread-safe; given to {@link Candidate#onElected}, whose end is its end.
 *
 * <p>It is over when the work returns, when somebody {@linkplain #stepDown steps down} or {@linkplain #handOverTo hands over}, when the candidacy
 * or the client is closed, or when it is revoked. {@link #isLeader} is false from then on. The lock goes back when the work, and what
 * {@link Candidate#onRevoked} does, has ended, so that the next leader's does not begin before; a ttl later if it goes on all the same.
 */
public final class Leadership {

    private static final System.Logger LOG = System.getLogger(Leadership.class.getName());
    private static final long SHORTEST_MARGIN_NANOS = 5_000_000;
    private static final long LONGEST_MARGIN_NANOS = 500_000_000;

    private final Election election;
    private final Candidacy candidacy;
    private final Candidate candidate;
    private final Lease lease;
    private final Timing timing;
    private final Worker worker = new Worker();
    private final CompletableFuture<ReleaseOutcome> released = new CompletableFuture<>();
    private volatile boolean over;
    private volatile String risk = "";

    // by more than one thread, under this object's monitor
    private ElectionRecord record;
    private boolean refreshes;
    private CompletableFuture<WriteOutcome> written = CompletableFuture.completedFuture(WriteOutcome.WRITTEN);

    // on the candidacy's serial executor
    private @Nullable Timer watch;
    private @Nullable Timer patience;
    private CompletableFuture<Void> told = CompletableFuture.completedFuture(null); // of the end
    private boolean givenBack;

    Leadership(
            Election election,
            Candidacy candidacy,
            Candidate candidate,
            Lease lease,
            ElectionRecord record,
            Timing timing) {
        this.election = election;
        this.candidacy = candidacy;
        this.candidate = candidate;
        this.lease = lease;
        this.record = record;
        this.timing = timing;
    }

    // ---- what it is

    /** Its number: larger than that of every leadership of this election before. The fencing token, to be checked by what the leader changes. */
    public long term() {
        return lease.fencingToken();
    }

    /** The name of the election. */
    public String electionName() {
        return election.name();
    }

    /** The name of the candidate that leads. */
    public String candidateName() {
        return election.candidateName();
    }

    /** When it began, by this machine's wall clock. */
    public synchronized Instant since() {
        return Instant.ofEpochMilli(record.sinceMillis());
    }

    /**
     * Whether this leads now. Costs no message. Two leaders' never say so at the same time, by clocks that drift less than the drift allowance;
     * what is done after the look at it can still be late, which is what the {@link #term} is for.
     */
    public boolean isLeader() {
        return !over && lease.isHeld();
    }

    /**
     * Returns if this leads now.
     *
     * @throws LeaseLostException if it does not: revoked, or stepped down
     */
    public void ensureLeader() {
        if (over) {
            throw new LeaseLostException(
                    "leadership of election '" + electionName() + "' in term " + term() + " is over");
        }
        lease.ensureHeld();
    }

    /** How long it lasts unless extended, by this machine's clocks; zero once it is over. It is extended by itself. */
    public Duration remaining() {
        return over ? Duration.ZERO : lease.remaining();
    }

    /**
     * The lease under which it leads, to look at and to listen to. Its end is not to be brought about here, nor its value written: step down, and
     * write a state.
     */
    public Lease lease() {
        return lease;
    }

    // ---- what goes from leader to leader

    /** What the leader before, or this one, has last written for whoever comes next; empty if nothing. Costs no message. */
    public synchronized String state() {
        return record.state();
    }

    /**
     * Writes down for the next leader what it needs to go on, such as how far the work has come. Blocks for a round trip, a node timeout at most;
     * writes follow each other. Kept as well as the nodes keep anything: what must never be lost belongs into a store that checks the term.
     *
     * @param state at most 512 bytes of UTF-8
     * @return whether the next leader will find it; {@link WriteOutcome#UNCONFIRMED} if it may find this or what was there before,
     *     {@link WriteOutcome#LOST} if this leads no more
     * @throws IllegalArgumentException if it is too long
     * @throws InterruptedException if the thread is interrupted while it waits: it may be written or not
     */
    public WriteOutcome writeState(String state) throws InterruptedException {
        return Await.interruptibly(startWrite(state));
    }

    /** As {@link #writeState}, without blocking. Completes on a worker thread. */
    public CompletionStage<WriteOutcome> writeStateAsync(String state) {
        return startWrite(state).minimalCompletionStage();
    }

    private synchronized CompletableFuture<WriteOutcome> startWrite(String state) {
        ElectionRecord changed = record.withState(ElectionRecord.requireState(state));
        return over ? CompletableFuture.completedFuture(WriteOutcome.LOST) : write(changed);
    }

    /** After those under way, so that the last one stays. With the monitor held. */
    private CompletableFuture<WriteOutcome> write(ElectionRecord changed) {
        record = changed;
        written = written.handle((before, failure) -> before)
                .thenCompose(before -> lease.writeValueAsync(changed.text()));
        return written;
    }

    // ---- its end by the leader's own will

    /**
     * Leads no more, from now on. By the work itself: the lock goes back at once, and the work should return. By anybody else: the work is interrupted, and
     * the lock goes back when it has ended, after a ttl at most. The candidate gets in line again, at its end, unless its candidacy is
     * closed. Does not block; harmless more than once.
     *
     * @return completes on a worker thread when the lock has gone back; {@link ReleaseOutcome#EXPIRED} if the leadership was lost before
     */
    public CompletionStage<ReleaseOutcome> stepDown() {
        return end("");
    }

    /**
     * {@link #stepDown}, and whoever is elected next and does not bear this name makes way for the one who does, without leading: every candidate,
     * this one too, does so once. If none of that name has come by then, the election goes on as usual.
     *
     * @param candidateName as in {@link Election#candidateName(String)}
     * @throws IllegalArgumentException if it is no such name, or that of this leader
     */
    public CompletionStage<ReleaseOutcome> handOverTo(String candidateName) {
        CandidateName.require("candidateName", candidateName);
        if (candidateName.equals(candidateName())) {
            throw new IllegalArgumentException(
                    "candidateName is '" + candidateName + "', which is this leader, but must be another's");
        }
        return end(candidateName);
    }

    private CompletionStage<ReleaseOutcome> end(String successor) {
        boolean byItself = worker.isThisThread();
        boolean first = ends(successor);
        candidacy.step(() -> {
            if (byItself) {
                giveBack();
            } else if (first) {
                worker.interrupt();
                giveBackInTime();
            }
        });
        return released.minimalCompletionStage();
    }

    /** Whether it was not over before. */
    private synchronized boolean ends(String successor) {
        if (over) {
            return false;
        }
        over = true;
        if (!successor.isEmpty()) {
            write(record.withSuccessor(successor));
        }
        return true;
    }

    // ---- its course, on the candidacy's serial executor

    /** The work begins. */
    void begin() {
        lease.onAtRisk(event -> risk = event.detail());
        lease.onLost(loss -> candidacy.step(() -> revoke(loss)));
        lease.onContended(() -> candidacy.tell(() -> {
            if (!over) {
                candidate.onContended(this);
            }
        }));
        watch();
        timing.scheduler().start("leader-of-" + electionName(), () -> worker.work(this));
    }

    /**
     * Looks whether the lease is about to end, and revokes the leadership before: the lease itself tells of its loss when it gives its votes
     * back, so others could be elected before the leader has heard of it.
     */
    private void watch() {
        if (over) {
            return;
        }
        long leftNanos = lease.remaining().toNanos() - marginNanos();
        if (leftNanos <= 0) {
            revoke(new Loss(lease.name(), Loss.Reason.EXPIRED, risk));
        } else {
            refresh();
            watch = timing.scheduler().schedule(leftNanos, () -> candidacy.step(this::watch));
        }
    }

    /** Writes the record once more: a node that has come back without its memory heals into the lease, but knows no record. */
    private synchronized void refresh() {
        if (refreshes && !over && written.isDone()) {
            write(record);
        }
        refreshes = true; // the first time it has just been written
    }

    private long marginNanos() {
        return Math.min(Math.max(election.ttl().toNanos() / 20, SHORTEST_MARGIN_NANOS), LONGEST_MARGIN_NANOS);
    }

    private void revoke(Loss loss) {
        if (ends("")) {
            if (worker.interrupt()) {
                told = candidacy.tell(() -> candidate.onRevoked(this, loss));
            }
            giveBackInTime();
        }
    }

    private void giveBackInTime() {
        if (!givenBack && patience == null) {
            patience = timing.scheduler()
                    .schedule(
                            election.ttl().toNanos(),
                            () -> candidacy.step(() -> {
                                if (!givenBack) {
                                    LOG.log(
                                            Level.WARNING,
                                            "The work of the leader of election ''{0}'' in term {1} goes on a ttl"
                                                    + " after its leadership was over",
                                            electionName(),
                                            Long.toString(term()));
                                    giveBack();
                                }
                            }));
        }
    }

    /** No timer will run any more, so the lock goes back now, though the work may go on. */
    void clientEnded() {
        if (ends("")) {
            worker.interrupt();
        }
        giveBack();
    }

    private void giveBack() {
        if (givenBack) {
            return;
        }
        givenBack = true;
        if (watch != null) {
            watch.cancel();
        }
        if (patience != null) {
            patience.cancel();
        }
        lastWrite()
                .handle((outcome, failure) -> lease.releaseAsync())
                .thenCompose(Function.identity())
                .whenComplete(
                        (outcome, failure) -> released.complete(outcome == null ? ReleaseOutcome.UNKNOWN : outcome));
    }

    private synchronized CompletableFuture<WriteOutcome> lastWrite() {
        return written;
    }

    /** The work has ended, and so has the leadership, if it had not before. */
    private void workEnded(@Nullable Throwable failure) {
        boolean wasOver = !ends("");
        boolean expected =
                wasOver && (failure instanceof InterruptedException || failure instanceof LeaseLostException);
        told.thenRun(() -> candidacy.step(this::giveBack)); // not before the candidate has heard of it
        released.thenAccept(
                outcome -> candidacy.step(() -> candidacy.leadershipEnded(this, expected ? null : failure)));
    }

    /** The thread of its own on which the work runs: interrupted at the end of the leadership, but never after that of the work. */
    private final class Worker {

        private @Nullable Thread thread;
        private boolean interrupted;

        void work(Leadership leadership) {
            Throwable failure = null;
            if (begins()) {
                try {
                    ThreadLeases.during(List.of(lease), () -> {
                        candidate.onElected(leadership);
                        return Boolean.TRUE;
                    });
                } catch (Throwable thrown) { // of any kind: the leadership is given back, and the candidate is told
                    failure = thrown;
                }
                ends();
            }
            Throwable came = failure;
            candidacy.step(() -> workEnded(came));
        }

        private synchronized boolean begins() {
            if (!interrupted) {
                thread = Thread.currentThread();
            }
            return !interrupted;
        }

        private synchronized void ends() {
            thread = null;
            Thread.interrupted();
        }

        /** Whether there was work to interrupt; if there was not, none will begin. */
        synchronized boolean interrupt() {
            interrupted = true;
            if (thread != null) {
                thread.interrupt();
            }
            return thread != null;
        }

        synchronized boolean isThisThread() {
            return thread == Thread.currentThread();
        }
    }

    @Override
    public String toString() {
        return "Leadership[" + electionName() + ", term " + term() + ", " + candidateName() + (over ? ", over]" : "]");
    }
}
