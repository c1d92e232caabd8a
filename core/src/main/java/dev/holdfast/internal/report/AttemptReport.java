package dev.holdfast.internal.report;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.OwnerId;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The latest answers of the nodes to one attempt, in a form for people. Accessed only on the attempt's serial executor. */
public final class AttemptReport {

    private final String lock;
    private final NodeReports reports;
    private final Timing timing;
    private final Moment started;
    private final @Nullable NodeReport[] latest;
    private @Nullable NoQuorumWatch noQuorum; // created when no majority answers
    private @Nullable WaitReporter waiting;

    /** A report of an attempt that starts now. */
    public AttemptReport(String lock, NodeReports reports, Timing timing, int nodes) {
        this.lock = lock;
        this.reports = reports;
        this.timing = timing;
        this.started = timing.now();
        this.latest = new NodeReport[nodes];
    }

    /** Notifies this observer of each state of the wait from now on, on the serial executor. */
    public void reportTo(Consumer<Waiting> observer) {
        waiting = new WaitReporter(observer);
    }

    /** Returns the wording of the reports. */
    public NodeReports words() {
        return reports;
    }

    /** Replaces a node's report. */
    public void set(int node, NodeReport report) {
        latest[node] = report;
    }

    /** Returns whether the node's latest answer is of this kind. */
    public boolean is(int node, NodeReport.Kind kind) {
        NodeReport report = latest[node];
        return report != null && report.kind() == kind;
    }

    /** Returns how many nodes have answered their latest request: with a vote or a denial, not with silence. */
    public int answering() {
        return count(true);
    }

    private int count(boolean answers) {
        int count = 0;
        for (NodeReport report : latest) {
            count += report != null && report.kind().isAnswer() == answers ? 1 : 0;
        }
        return count;
    }

    /** Returns why the attempt has no lease. */
    public Refusal refusal(Refusal.Reason reason, @Nullable SealedWork seal) {
        return new Refusal(lock, reason, waited(), nodes(), seal);
    }

    private List<NodeReport> nodes() {
        return IntStream.range(0, latest.length)
                .mapToObj(node -> {
                    NodeReport report = latest[node];
                    return report != null ? report : reports.of(node, NodeReport.Kind.NOT_ASKED);
                })
                .toList();
    }

    private Duration waited() {
        return Duration.ofNanos(started.nanosUntil(timing.now()));
    }

    /** Notifies the user's consumer, if there is one. */
    public void notifyWaiting(int majority, OwnerId owner) {
        if (waiting != null) {
            waiting.report(lock, majority, waited(), nodes(), owner.withoutRound());
        }
    }

    /**
     * Watches over a waiting attempt, which might wait for ever if no majority answers.
     *
     * @param starved runs on the serial executor each time that no majority has answered for the client's noQuorumTimeout
     */
    public void watchMajority(NoQuorumAlarm alarm, SerialExecutor executor, Runnable starved) {
        if (answering() >= alarm.majority()) {
            if (noQuorum != null) {
                noQuorum.answered();
            }
            alarm.answered();
        } else if (count(false) > 0) {
            if (noQuorum == null) {
                noQuorum = new NoQuorumWatch(timing, alarm, executor, lock, this::nodes, starved);
            }
            noQuorum.missing();
        }
    }

    /** Stops watching, since the attempt has ended. */
    public void stop() {
        if (noQuorum != null) {
            noQuorum.stop();
        }
    }
}
