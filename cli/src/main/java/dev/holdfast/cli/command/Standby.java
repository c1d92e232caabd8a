package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.WaitingDisplay;
import dev.holdfast.election.Candidate;
import dev.holdfast.election.Election;
import dev.holdfast.election.Leadership;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.LockStatus.NodeState;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.Blocker;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The display of a candidate that does not lead: who leads, for how much longer, and the position in the queue. It asks the nodes. Thread-safe. */
final class Standby implements AutoCloseable {

    private final Holdfast holdfast;
    private final Election election;
    private final Timing timing;
    private final AtomicReference<@Nullable WaitingDisplay> display = new AtomicReference<>();
    private volatile boolean closed;

    /** Creates a display that shows nothing until it begins. */
    Standby(Holdfast holdfast, Election election, Timing timing) {
        this.holdfast = holdfast;
        this.election = election;
        this.timing = timing;
    }

    /** Begins to show the wait, unless this display is closed. */
    void begin() {
        if (!closed) {
            replace(WaitingDisplay.ofElection(election.name(), timing, this::ask));
        }
    }

    private void replace(@Nullable WaitingDisplay next) {
        WaitingDisplay before = display.getAndSet(next);
        if (before != null) {
            before.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        replace(null);
    }

    /** Returns the candidate, which interrupts this display while it leads. */
    Candidate around(Candidate candidate) {
        return new Candidate() {
            @Override
            public void onElected(Leadership leadership) throws Exception {
                replace(null);
                try {
                    candidate.onElected(leadership);
                } finally {
                    begin();
                }
            }

            @Override
            public void onRevoked(Leadership leadership, Loss loss) {
                candidate.onRevoked(leadership, loss);
            }

            @Override
            public void onContended(Leadership leadership) {
                candidate.onContended(leadership);
            }

            @Override
            public void onError(Throwable failure) {
                candidate.onError(failure);
            }
        };
    }

    private void ask() {
        try {
            holdfast.admin()
                    .statusAsync(election.name())
                    .thenAccept(status -> show(waiting(status, holdfast.client())));
        } catch (HoldfastException e) {
            // The client is closed: the command is ending.
        }
    }

    private void show(Waiting waiting) {
        WaitingDisplay shown = display.get();
        if (shown != null) {
            shown.update(waiting);
        }
    }

    /**
     * Returns the wait of a candidate.
     *
     * @param status the state of the election's lock
     * @param client the candidate's client, as owner ids begin
     */
    static Waiting waiting(LockStatus status, String client) {
        Optional<LockStatus.Holder> holder = status.holders().stream()
                .filter(LockStatus.Holder::hasMajority)
                .filter(held -> !held.owner().startsWith(client + "/"))
                .findFirst();
        String name = holder.map(Standby::name).orElse("");
        int place = IntStream.range(0, status.waiters().size())
                .filter(i -> status.waiters().get(i).owner().startsWith(client + "/"))
                .map(i -> i + 1)
                .findFirst()
                .orElse(0);
        Duration remaining = holder.map(LockStatus.Holder::remaining).orElse(null);
        List<NodeReport> nodes =
                status.nodes().stream().map(node -> report(node, remaining)).toList();
        return new Waiting(status.name(), place, name, Duration.ZERO, nodes, client);
    }

    /** Returns the holder's name, which is the candidate's, or a text that marks a holder of another program as such. */
    private static String name(LockStatus.Holder holder) {
        Blocker.Kind kind = Blocker.Kind.valueOf(holder.kind().name());
        return kind == Blocker.Kind.HOLDFAST
                ? holder.name()
                : new Blocker(kind, holder.owner(), OptionalLong.empty()).display();
    }

    private static NodeReport report(NodeState node, @Nullable Duration remaining) {
        return node.state().isPresent()
                ? new NodeReport(node.node(), NodeReport.Kind.HELD, "", remaining, 0)
                : new NodeReport(node.node(), NodeReport.Kind.ERROR, node.problem(), null, 0);
    }
}
