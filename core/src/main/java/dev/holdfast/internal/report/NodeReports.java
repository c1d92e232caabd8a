package dev.holdfast.internal.report;

import dev.holdfast.internal.node.NodeSet;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.Seal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Turns the answers of nodes into reports for people. Thread-safe. */
public final class NodeReports {

    private static final int KINDS = NodeReport.Kind.values().length;

    private final NodeSet nodes;
    private final @Nullable NodeReport[] plain; // threads that race create equal reports

    public NodeReports(NodeSet nodes) {
        this.nodes = nodes;
        this.plain = new NodeReport[nodes.size() * KINDS];
    }

    /** Returns a report of this kind without details. */
    public NodeReport of(int node, NodeReport.Kind kind) {
        int at = node * KINDS + kind.ordinal();
        NodeReport known = plain[at];
        if (known == null) {
            known = of(node, kind, "");
            plain[at] = known;
        }
        return known;
    }

    /** Returns a report with details. */
    public NodeReport of(int node, NodeReport.Kind kind, String detail) {
        return new NodeReport(nodes.name(node), kind, detail, null, 0);
    }

    /** Returns the report of a node whose votes do not count for this long. */
    public NodeReport quarantined(int node, long remainingMillis) {
        Duration remaining = Duration.ofMillis(remainingMillis);
        return new NodeReport(nodes.name(node), NodeReport.Kind.QUARANTINED, "", remaining, 0);
    }

    /** Returns the report of a node that denies its vote. */
    public NodeReport held(int node, @Nullable Blocker blocker, long remainingMillis) {
        return blocked(node, NodeReport.Kind.HELD, blocker, remainingMillis, 0);
    }

    /** Returns the report of a node that has queued the request. */
    public NodeReport queued(int node, @Nullable Blocker blocker, long remainingMillis, int place) {
        return blocked(node, NodeReport.Kind.QUEUED, blocker, remainingMillis, place);
    }

    /** Returns the report of a node at which the work is sealed. */
    public NodeReport sealed(int node, Seal seal) {
        Duration remaining = seal.remainingMillis() < 0 ? null : Duration.ofMillis(seal.remainingMillis());
        return new NodeReport(nodes.name(node), NodeReport.Kind.SEALED, "by " + seal.displayBy(), remaining, 0);
    }

    private NodeReport blocked(
            int node, NodeReport.Kind kind, @Nullable Blocker blocker, long remainingMillis, int place) {
        String detail = blocker == null ? "" : (kind == NodeReport.Kind.HELD ? "by " : "behind ") + blocker.display();
        long millis = blocker == null ? remainingMillis : blocker.remainingMillis();
        Duration remaining = millis > 0 ? Duration.ofMillis(millis) : null;
        return new NodeReport(nodes.name(node), kind, detail, remaining, place);
    }
}
