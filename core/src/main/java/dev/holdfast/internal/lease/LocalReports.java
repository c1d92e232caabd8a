package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import dev.holdfast.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The reports that a client gives to its own waiters without asking the nodes. */
final class LocalReports {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private LocalReports() {}

    /**
     * Returns the reports while this client holds the lease: every node would give the same report. Without a lease, the reports say that no node was asked.
     */
    static List<NodeReport> nodes(Quorum quorum, @Nullable QuorumLease held, Moment now) {
        NodeReport.Kind kind = held == null ? NodeReport.Kind.NOT_ASKED : NodeReport.Kind.HELD;
        String detail = held == null ? "" : "by " + holder(held);
        Duration left = held == null ? null : Duration.ofMillis(Math.max(held.validNanos(now), 0) / NANOS_PER_MILLI);
        return IntStream.range(0, quorum.nodes().size())
                .mapToObj(node -> new NodeReport(quorum.nodes().name(node), kind, detail, left, 0))
                .toList();
    }

    /** Returns the state of the first waiter behind a lease of its own client. */
    static Waiting waiting(Quorum quorum, QuorumLease held, Moment now) {
        return new Waiting(
                held.name(),
                1,
                holder(held),
                Duration.ZERO,
                nodes(quorum, held, now),
                held.owner().withoutRound());
    }

    private static String holder(QuorumLease held) {
        return held.owner().displayName() + ", which is this client";
    }
}
