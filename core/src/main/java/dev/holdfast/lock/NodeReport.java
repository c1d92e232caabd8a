package dev.holdfast.lock;

import dev.holdfast.internal.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one node to an attempt, or the reason why there is no answer.
 *
 * @param node the node's name, without user and password
 * @param kind the kind of answer
 * @param detail further content of the answer for people, such as the holder; empty if there is none
 * @param remaining how long the reported state lasts without an extension; null if the node did not say
 * @param place the position in the queue, 1 for the first; 0 if the request is not in the queue
 */
public record NodeReport(
        String node, Kind kind, String detail, @Nullable Duration remaining, int place) {

    /** The kind of answer. */
    public enum Kind {
        /** The client did not ask the node, or the attempt ended before the node answered. */
        NOT_ASKED,
        /** The node granted its vote. */
        GRANTED,
        /** The node granted its vote, and the attempt released it in favour of an earlier request. */
        YIELDED,
        /** Another client has the vote of the node. */
        HELD,
        /** The request waits in the queue of the node. */
        QUEUED,
        /** The lock is sealed: a client declared the work under it done. */
        SEALED,
        /** The node did not answer in time. */
        TIMEOUT,
        /** The node may have lost state, so its vote does not count yet. */
        QUARANTINED,
        /** The node is unreachable, reported an error, or is not fit for use as configured. */
        ERROR;

        /** Returns whether the node granted or refused its vote. */
        public boolean isAnswer() {
            return switch (this) {
                case GRANTED, YIELDED, HELD, QUEUED, SEALED -> true;
                case NOT_ASKED, TIMEOUT, QUARANTINED, ERROR -> false;
            };
        }
    }

    /** Returns whether the node is in quarantine: it answers, but its vote does not count yet. */
    public boolean isQuarantined() {
        return kind == Kind.QUARANTINED;
    }

    /**
     * Returns how long it takes until the votes of a majority of these nodes count. Nodes that answer count now, and quarantined nodes count at the
     * end of their quarantine.
     *
     * @return the time, 0 or more; empty if too few nodes answer or report the length of their quarantine
     */
    public static Optional<Duration> untilMajority(List<NodeReport> nodes) {
        return nodes.stream()
                .filter(node -> node.kind.isAnswer() || (node.isQuarantined() && node.remaining != null))
                .map(node -> node.isQuarantined() && node.remaining != null ? node.remaining : Duration.ZERO)
                .sorted()
                .skip(nodes.size() / 2)
                .findFirst();
    }

    /** Returns a line for people, such as {@code redis://a:6379: HELD by billing@host-7 for 4.2 s more}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(node).append(": ").append(kind);
        if (place > 0) {
            text.append(' ').append(ordinal(place));
        }
        if (!detail.isEmpty()) {
            text.append(' ').append(detail);
        }
        if (remaining != null) {
            text.append(kind == Kind.HELD ? " for " : ", ")
                    .append(DurationText.of(remaining))
                    .append(" more");
        }
        return text.toString();
    }

    private static String ordinal(int place) {
        boolean teen = place % 100 / 10 == 1;
        return place
                + switch (teen ? 0 : place % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
