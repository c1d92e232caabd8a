package dev.holdfast.internal.election;

import dev.holdfast.election.Candidate;
import dev.holdfast.election.Election;
import dev.holdfast.election.Leadership;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A leadership under one lease: its watch, its work and its end. Its state changes only on the serial executor of its candidacy. */
final class LeaseLeadership implements Leadership {

    private static final System.Logger LOG = System.getLogger(Leadership.class.getName());
    private static final long SHORTEST_MARGIN_NANOS = 5_000_000;
    private static final long LONGEST_MARGIN_NANOS = 500_000_000;

    private final Election election;
    private final LockCandidacy candidacy;
    private final Candidate candidate;
    private final Lease lease;
    private final Timing timing;
    private final Worker worker = new Worker();
    private final CompletableFuture<ReleaseOutcome> released = new CompletableFuture<>();
    private volatile boolean over;
    private volatile String risk = "";

    // changed by several threads, under this object's monitor
    private ElectionRecord record;
    private boolean refreshes;
    private CompletableFuture<WriteOutcome> written = CompletableFuture.completedFuture(WriteOutcome.WRITTEN);

    // accessed on the candidacy's serial executor
    private @Nullable Timer watch;
    private @Nullable Timer patience;
    private CompletableFuture<Void> told = CompletableFuture.completedFuture(null); // the notification of the end
    private boolean givenBack;

    LeaseLeadership(
            Election election,
            LockCandidacy candidacy,
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

    @Override
    public long term() {
        return lease.fencingToken();
    }

    @Override
    public String electionName() {
        return election.name();
    }

    @Override
    public String candidateName() {
        return election.candidateName();
    }

    @Override
    public synchronized Instant since() {
        return Instant.ofEpochMilli(record.sinceMillis());
    }

    @Override
    public boolean isLeader() {
        return !over && lease.isHeld();
    }

    @Override
    public void ensureLeader() {
        if (over) {
            throw new LeaseLostException(
                    "leadership of election '" + electionName() + "' in term " + term() + " has ended");
        }
        lease.ensureHeld();
    }

    @Override
    public Duration remaining() {
        return over ? Duration.ZERO : lease.remaining();
    }

    @Override
    public Lease lease() {
        return lease;
    }

    // ---- what goes from leader to leader

    @Override
    public synchronized String state() {
        return record.state();
    }

    @Override
    public WriteOutcome writeState(String state) throws InterruptedException {
        return Await.interruptibly(startWrite(state));
    }

    @Override
    public CompletableFuture<WriteOutcome> writeStateAsync(String state) {
        return startWrite(state).copy();
    }

    private synchronized CompletableFuture<WriteOutcome> startWrite(String state) {
        ElectionRecord changed = record.withState(ElectionRecord.requireState(state));
        return over ? CompletableFuture.completedFuture(WriteOutcome.LOST) : write(changed);
    }

    /** Writes a record after the writes that are under way, so that the last one stays. The caller holds the monitor. */
    private CompletableFuture<WriteOutcome> write(ElectionRecord changed) {
        record = changed;
        written = written.handle((before, failure) -> before)
                .thenCompose(before -> lease.writeValueAsync(changed.text()));
        return written;
    }

    // ---- its end by the leader's own will

    @Override
    public CompletableFuture<ReleaseOutcome> stepDown() {
        return end("");
    }

    @Override
    public CompletableFuture<ReleaseOutcome> handOverTo(String candidateName) {
        CandidateName.require("candidateName", candidateName);
        if (candidateName.equals(candidateName())) {
            throw new IllegalArgumentException(
                    "candidateName is '" + candidateName + "', which is this leader, but must be another's");
        }
        return end(candidateName);
    }

    private CompletableFuture<ReleaseOutcome> end(String successor) {
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
        return released.copy();
    }

    /** Marks the leadership as ended, and returns whether it was still under way. */
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

    /** Starts the watch and the work. */
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
     * Revokes the leadership shortly before the lease ends. The lease reports its loss only while it releases its votes. By then another candidate could be
     * elected before this leader knows.
     */
    private void watch() {
        if (over) {
            return;
        }
        long leftNanos = lease.remaining().toNanos() - marginNanos();
        if (leftNanos <= 0) {
            boolean tooLong = candidacy.nanosToMaxHold(since().toEpochMilli()) <= 2 * marginNanos();
            revoke(new Loss(lease.name(), tooLong ? Loss.Reason.MAX_HOLD : Loss.Reason.EXPIRED, risk));
        } else {
            refresh();
            watch = timing.scheduler().schedule(leftNanos, () -> candidacy.step(this::watch));
        }
    }

    /** Writes the record again: the lease's extensions heal a node that restarted with state loss, but the node does not know the record. */
    private synchronized void refresh() {
        if (refreshes && !over && written.isDone()) {
            write(record);
        }
        refreshes = true; // no write the first time: the record has just been written
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
                                            "The work of the leader of election ''{0}'' in term {1} still runs a ttl after its leadership ended",
                                            electionName(),
                                            Long.toString(term()));
                                    giveBack();
                                }
                            }));
        }
    }

    /** Releases the lock now, although the work may continue, because no timer runs any more. */
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
                .whenComplete((outcome, failure) ->
                        released.complete(outcome == null ? ReleaseOutcome.UNCONFIRMED : outcome));
    }

    private synchronized CompletableFuture<WriteOutcome> lastWrite() {
        return written;
    }

    /** Ends the leadership after the work has ended, unless it ended before. */
    private void workEnded(@Nullable Throwable failure) {
        boolean wasOver = !ends("");
        boolean expected =
                wasOver && (failure instanceof InterruptedException || failure instanceof LeaseLostException);
        told.thenRun(() -> candidacy.step(this::giveBack)); // not before the candidate has been notified
        released.thenAccept(
                outcome -> candidacy.step(() -> candidacy.leadershipEnded(this, expected ? null : failure)));
    }

    /** The thread on which the work runs. It is interrupted at the end of the leadership, but never after the end of the work. */
    private final class Worker {

        private @Nullable Thread thread;
        private boolean interrupted;

        void work(LeaseLeadership leadership) {
            Throwable failure = null;
            if (begins()) {
                try {
                    ThreadLeases.during(List.of(lease), () -> {
                        candidate.onElected(leadership);
                        return Boolean.TRUE;
                    });
                } catch (Throwable thrown) { // any failure ends the leadership and reaches the candidate
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

        /** Interrupts the work; returns whether the work was running. Work that has not begun does not begin later. */
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
