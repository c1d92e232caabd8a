package dev.holdfast.cli.output;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.NodeStatus.State;
import dev.holdfast.lock.Persistence;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A report of the nodes' states, as a table and as JSON.
 *
 * @param refusing the names of the nodes that granted no lock in a trial, and so do not vote although they answer
 */
public record NodesReport(List<NodeStatus> nodes, Set<String> refusing) {

    private static final long NANOS_PER_MICRO = 1_000;

    /** Creates a report without a trial: every node that is up votes. */
    public NodesReport(List<NodeStatus> nodes) {
        this(nodes, Set.of());
    }

    /** Returns whether the node answers requests, even if its votes do not count yet. */
    public static boolean answers(NodeStatus node) {
        return node.state() == State.UP || node.state() == State.QUARANTINED;
    }

    /** Returns whether every node answers, even if not all vote. */
    public boolean allAnswer() {
        return nodes.stream().allMatch(NodesReport::answers);
    }

    /** Returns why nodes do not vote, as the end of a sentence. */
    public String whyNotVoting() {
        return nodes.stream()
                .filter(node -> node.state() != State.UP)
                .map(node -> node.name() + ": " + node.state() + " " + OptionNames.in(node.detail()))
                .collect(Collectors.joining("; ", " [", "]"));
    }

    /** Returns the problems of the nodes that do not answer, as the end of a sentence. */
    static String problems(List<NodeStatus> nodes) {
        return nodes.stream()
                .filter(node -> !answers(node))
                .map(node -> node.name() + ": " + node.state() + " " + OptionNames.in(node.detail()))
                .collect(Collectors.joining("; ", " [", "]"));
    }

    public int majority() {
        return nodes.size() / 2 + 1;
    }

    public long voting() {
        return nodes.stream()
                .filter(node -> node.state() == State.UP && !refusing.contains(node.name()))
                .count();
    }

    public boolean hasMajority() {
        return voting() >= majority();
    }

    /** Returns the time until enough quarantines have ended for a majority to vote, if no more nodes fail; empty if too few nodes answer. */
    public Optional<Duration> untilMajority() {
        return nodes.stream()
                .filter(NodesReport::answers)
                .map(NodeStatus::quarantine)
                .sorted()
                .skip(majority() - 1L)
                .findFirst();
    }

    // ---- for people

    public String text() {
        Table table = new Table("NODE", "STATE", "ROUND TRIP", "CLOCK", "UP", "KEEPS", "SERVER", "RUN ID");
        for (NodeStatus node : nodes) {
            table.row(
                    node.name(),
                    node.state()
                            + (node.quarantine().isZero() ? "" : " " + DurationText.of(node.quarantine()) + " more"),
                    roundTrip(node.roundTrip()),
                    clock(node.server().clockOffset()),
                    duration(node.server().uptime()),
                    keeps(node.server().persistence()),
                    text(node.server().version()),
                    Printable.line(text(node.server().id()), 12));
        }
        StringBuilder text = new StringBuilder(table.toString());
        for (NodeStatus node : nodes) {
            if (!node.detail().isEmpty()) {
                text.append(Printable.line(node.name() + ": " + OptionNames.in(node.detail())))
                        .append('\n');
            }
            for (String warning : node.server().warnings()) {
                text.append(Printable.line(node.name() + ": warning: " + warning))
                        .append('\n');
            }
        }
        return text.append(setWarning()).toString();
    }

    private String setWarning() {
        return nodes.size() % 2 == 1
                ? ""
                : "warning: " + nodes.size() + " nodes tolerate only as many failures as " + (nodes.size() - 1) + "\n";
    }

    /** Returns what a node keeps after a restart. Locks do not depend on it. */
    private static String keeps(Persistence persistence) {
        return switch (persistence) {
            case UNKNOWN -> "";
            case NONE -> "nothing";
            case SEALS -> "seals";
            case ALL -> "all";
        };
    }

    private static String duration(@Nullable Duration duration) {
        return duration == null ? "" : DurationText.of(duration);
    }

    private static String roundTrip(@Nullable Duration roundTrip) {
        return roundTrip == null ? "" : String.format(Locale.ROOT, "%.2f ms", roundTrip.toNanos() / 1e6);
    }

    private static String clock(@Nullable Duration offset) {
        return offset == null ? "" : String.format(Locale.ROOT, "%+d ms", offset.toMillis());
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    // ---- for programs

    public String json() {
        return JsonText.object(json -> {
            json.field("hasMajority", hasMajority())
                    .field("majority", (long) majority())
                    .field("voting", voting());
            json.objects(
                    "nodes",
                    nodes,
                    node -> json.field("node", node.name())
                            .field("state", node.state().name().toLowerCase(Locale.ROOT))
                            .field("detail", node.detail().isEmpty() ? null : OptionNames.in(node.detail()))
                            .field("serverId", node.server().id())
                            .field("version", node.server().version())
                            .field("uptimeMillis", millis(node.server().uptime()))
                            .field("roundTripMicros", micros(node.roundTrip()))
                            .field("clockOffsetMillis", millis(node.server().clockOffset()))
                            .field("quarantineMillis", node.quarantine().toMillis())
                            .field(
                                    "persistence",
                                    node.server().persistence() == Persistence.UNKNOWN
                                            ? null
                                            : node.server().persistence().name().toLowerCase(Locale.ROOT))
                            .texts("warnings", node.server().warnings()));
        });
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : Long.valueOf(duration.toMillis());
    }

    private static @Nullable Long micros(@Nullable Duration duration) {
        return duration == null ? null : Long.valueOf(duration.toNanos() / NANOS_PER_MICRO);
    }
}
