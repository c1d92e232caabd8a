package dev.holdfast.lock;

import dev.holdfast.internal.time.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one node said, or did not say, to an attempt: the part of a {@link Refusal} that explains it.
 *
 * @param node the node's name, without secrets
 * @param kind what it said
 * @param detail the words that go with it, such as the holder; empty if there are none
 * @param remaining how long that lasts unless prolonged, if the node told
 * @param place the place in the queue, 1 for the first; 0 if not in line
 */
public record NodeReport(
        String node, Kind kind, String detail, @Nullable Duration remaining, int place) {

    /** What a node said. */
    public enum Kind {
        /** It was not asked, or the attempt ended before it could answer. */
        NOT_ASKED,
        /** It gave its vote. */
        GRANTED,
        /** It gave its vote, which went back to an earlier request. */
        YIELDED,
        /** Somebody else has its vote. */
        HELD,
        /** The request stands in its queue. */
        QUEUED,
        /** The work under this name was declared done. */
        SEALED,
        /** It did not answer in time: neither yes nor no. */
        TIMEOUT,
        /** It may have lost its memory, and does not vote yet. */
        QUARANTINED,
        /** It is unreachable or unwell, or must not be used. */
        ERROR;

        /** Whether this is a vote or a refusal, as opposed to silence. */
        public boolean isAnswer() {
            return switch (this) {
                case GRANTED, YIELDED, HELD, QUEUED, SEALED -> true;
                case NOT_ASKED, TIMEOUT, QUARANTINED, ERROR -> false;
            };
        }
    }

    /** Whether the node answers, but does not count yet. */
    public boolean isQuarantined() {
        return kind == Kind.QUARANTINED;
    }

    /**
     * How long until a majority of these nodes counts: those that answer, and those that are quarantined, each once that has ended.
     *
     * @return empty if too few answer, or have not told how long they are quarantined
     */
    public static Optional<Duration> untilMajority(List<NodeReport> nodes) {
        return nodes.stream()
                .filter(node -> node.kind.isAnswer() || (node.isQuarantined() && node.remaining != null))
                .map(node -> node.isQuarantined() && node.remaining != null ? node.remaining : Duration.ZERO)
                .sorted()
                .skip(nodes.size() / 2)
                .findFirst();
    }

    /** For example {@code redis://a:6379: HELD by billing@host-7 for 4.2 s more}. */
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
                    .append(Durations.text(remaining))
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
