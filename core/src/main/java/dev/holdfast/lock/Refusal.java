package dev.holdfast.lock;

import dev.holdfast.internal.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reason why an attempt did not get its lock, with the answer of every node.
 *
 * @param lock the name of the lock
 * @param reason why the attempt ended
 * @param waited how long the attempt lasted
 * @param nodes the answer of each node, in the order of the client's configuration
 * @param seal the work and the client that did it, if the reason is {@link Reason#SEALED}; else null
 */
public record Refusal(
        String lock,
        Reason reason,
        Duration waited,
        List<NodeReport> nodes,
        @Nullable SealedWork seal) {

    /** The reason why an attempt ended without a lease. */
    public enum Reason {
        /** A majority of nodes answered, and another client holds the lock or is ahead in its queue. */
        HELD,
        /** An attempt for several locks lost one lease while it waited for the rest. The nodes gave these answers after the loss. */
        LOST,
        /** Fewer nodes than a majority gave an answer that counts. */
        NO_QUORUM,
        /** The lock is sealed: a client declared the work under it done, and no client gets the lock until the seal ends. */
        SEALED,
        /** The caller gave up: its thread was interrupted, or it cancelled the future. */
        CANCELLED,
        /** The client was closed. */
        CLOSED,
    }

    public Refusal {
        nodes = List.copyOf(nodes);
    }

    /** Creates a refusal for a reason other than {@link Reason#SEALED}. */
    public Refusal(String lock, Reason reason, Duration waited, List<NodeReport> nodes) {
        this(lock, reason, waited, nodes, null);
    }

    /** Returns one line for people: the lock, the reason, and every node's answer. */
    public String message() {
        String why = switch (reason) {
            case HELD -> "held by another client";
            case LOST -> "its lease was lost while the client acquired the other locks";
            case NO_QUORUM -> noQuorum();
            case SEALED -> "sealed: its work was declared done";
            case CANCELLED -> "the attempt was cancelled";
            case CLOSED -> "the client was closed";
        };
        return "lock '" + lock + "' not acquired after " + DurationText.of(waited) + ": " + why
                + nodes.stream().map(NodeReport::toString).collect(Collectors.joining("; ", " [", "]"));
    }

    /** Returns the exception for this refusal, which {@link DistributedLock#acquire(Duration)} throws. */
    public RuntimeException exception() {
        return switch (reason) {
            case HELD, LOST -> new LockTimeoutException(this);
            case NO_QUORUM -> new NoQuorumException(this);
            case SEALED -> new LockSealedException(this);
            case CLOSED -> new HoldfastClosedException(message());
            case CANCELLED -> new CancellationException(message());
        };
    }

    /** Returns a text such as {@code no majority: 3 of 3 nodes answered, but 3 are quarantined; a majority votes in 4.2 s}. */
    private String noQuorum() {
        long answering = answering();
        long quarantined = nodes.stream().filter(NodeReport::isQuarantined).count();
        int needed = nodes.size() / 2 + 1;
        String answered = "no majority: " + (answering + quarantined) + " of " + nodes.size() + " nodes answered";
        if (quarantined == 0) {
            return answered + ", " + needed + " are needed";
        }
        return answered + ", but " + quarantined + (quarantined == 1 ? " is" : " are") + " quarantined; "
                + NodeReport.untilMajority(nodes)
                        .map(left -> "a majority votes in " + DurationText.of(left))
                        .orElse(needed + " must count");
    }

    private long answering() {
        return nodes.stream().filter(node -> node.kind().isAnswer()).count();
    }
}
