package dev.holdfast.internal.report;

import dev.holdfast.internal.node.NodeSet;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.Unavailable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Turns the answers of nodes into reports for people. Thread-safe. */
public final class NodeReports {

    private static final int KINDS = NodeReport.Kind.values().length;

    final NodeSet nodes;
    private final @Nullable NodeReport[] plain; // threads that race create equal reports

    public NodeReports(NodeSet nodes) {
        this.nodes = nodes;
        this.plain = new NodeReport[nodes.size() * KINDS];
    }

    /** Returns the report of a node's answer. */
    NodeReport of(int node, AcquireAnswer answer) {
        if (answer instanceof AcquireAnswer.Queued queued) {
            return blocked(node, NodeReport.Kind.QUEUED, queued.blocker(), queued.remainingMillis(), queued.place());
        } else if (answer instanceof AcquireAnswer.Denied denied) {
            return blocked(node, NodeReport.Kind.HELD, denied.blocker(), denied.remainingMillis(), 0);
        } else if (answer instanceof AcquireAnswer.Sealed sealed) {
            Duration left = Durations.ofMillis(sealed.seal().remainingMillis());
            return report(node, NodeReport.Kind.SEALED, "by " + sealed.seal().displayBy(), left, 0);
        } else if (answer instanceof AcquireAnswer.Quarantined quarantined) {
            Duration left = Duration.ofMillis(Math.max(quarantined.remainingMillis(), 0));
            return report(node, NodeReport.Kind.QUARANTINED, "", left, 0);
        } else if (answer instanceof Unavailable unavailable) {
            return of(node, NodeReport.Kind.ERROR, unavailable.reason());
        }
        return of(node, NodeReport.Kind.GRANTED, "");
    }

    /** Returns a report with these details; the same object for a report without details. */
    NodeReport of(int node, NodeReport.Kind kind, String detail) {
        if (!detail.isEmpty()) {
            return report(node, kind, detail, null, 0);
        }
        int at = node * KINDS + kind.ordinal();
        NodeReport known = plain[at];
        if (known == null) {
            known = report(node, kind, "", null, 0);
            plain[at] = known;
        }
        return known;
    }

    private NodeReport blocked(
            int node, NodeReport.Kind kind, @Nullable Blocker blocker, long remainingMillis, int place) {
        String detail = blocker == null ? "" : (kind == NodeReport.Kind.HELD ? "by " : "behind ") + blocker.display();
        long millis =
                blocker == null ? remainingMillis : blocker.remainingMillis().orElse(0);
        return report(node, kind, detail, millis > 0 ? Duration.ofMillis(millis) : null, place);
    }

    private NodeReport report(int node, NodeReport.Kind kind, String detail, @Nullable Duration remaining, int place) {
        return new NodeReport(nodes.name(node), kind, detail, remaining, place);
    }
}
