package dev.holdfast.internal.report;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The latest answers of the nodes to one attempt, in a form for people. Accessed only on the attempt's serial executor. */
public final class AttemptReport {

    private final String lock;
    private final OwnerId owner;
    private final NodeReports reports;
    private final NoQuorumAlarm alarm;
    private final Timing timing;
    private final Moment started;
    private final @Nullable NodeReport[] latest;
    private @Nullable NoQuorumWatch noQuorum; // created when no majority answers
    private @Nullable Consumer<Waiting> observer;

    /** A report of an attempt that starts now. */
    public AttemptReport(String lock, OwnerId owner, NodeReports reports, NoQuorumAlarm alarm) {
        this.lock = lock;
        this.owner = owner;
        this.reports = reports;
        this.alarm = alarm;
        this.timing = reports.nodes.timing();
        this.started = timing.now();
        this.latest = new NodeReport[reports.nodes.size()];
    }

    /** Notifies this observer of each state of the wait from now on, on the serial executor. */
    public void reportTo(Consumer<Waiting> consumer) {
        observer = consumer;
        if (Arrays.stream(latest).anyMatch(Objects::nonNull)) {
            notifyWaiting();
        }
    }

    /** Notes the latest answer of a node. */
    public void answered(int node, AcquireAnswer answer) {
        latest[node] = reports.of(node, answer);
    }

    /** Notes anything else to report about a node. */
    public void set(int node, NodeReport.Kind kind, String detail) {
        latest[node] = reports.of(node, kind, detail);
    }

    /** Returns whether the node's latest answer is of this kind. */
    public boolean is(int node, NodeReport.Kind kind) {
        NodeReport report = latest[node];
        return report != null && report.kind() == kind;
    }

    /** Returns whether so many nodes have failed to answer that no majority is left. Nodes that may yet answer for the first time have not failed. */
    public boolean lacksMajority() {
        return count(false) > latest.length - alarm.majority();
    }

    /** Counts the nodes that have answered their latest request with a vote or a denial, or those that have not. */
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
                    return report != null ? report : reports.of(node, NodeReport.Kind.NOT_ASKED, "");
                })
                .toList();
    }

    private Duration waited() {
        return Duration.ofNanos(started.nanosUntil(timing.now()));
    }

    /** Notifies the observer of the latest answers, if there is one. The position is the one that a majority gives. */
    public void notifyWaiting() {
        if (observer == null) {
            return;
        }
        List<NodeReport> nodes = nodes();
        int[] places = nodes.stream()
                .filter(report -> report.kind() == NodeReport.Kind.QUEUED)
                .mapToInt(NodeReport::place)
                .sorted()
                .toArray();
        int place = places.length == 0 ? 0 : places[Math.min(places.length, alarm.majority()) - 1];
        String holder = nodes.stream()
                .map(NodeReport::detail)
                .filter(detail -> detail.startsWith("behind ") || detail.startsWith("by "))
                .map(detail -> detail.substring(detail.indexOf(' ') + 1))
                .findFirst()
                .orElse("");
        observer.accept(new Waiting(lock, place, holder, waited(), nodes, owner.withoutRound()));
    }

    /**
     * Watches over a waiting attempt, which might wait for ever if no majority answers.
     *
     * @param starved runs on the serial executor each time that no majority has answered for the client's noQuorumTimeout
     */
    public void watchMajority(SerialExecutor executor, Runnable starved) {
        if (count(true) >= alarm.majority()) {
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

    /** Stops watching and notifying, since the attempt has ended. */
    public void stop() {
        observer = null;
        if (noQuorum != null) {
            noQuorum.stop();
        }
    }
}
