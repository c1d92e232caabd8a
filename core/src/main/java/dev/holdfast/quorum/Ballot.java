package dev.holdfast.quorum;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who an attempt, and the lease it becomes, is at each node: the owner id with its round there, and whether a request under that
 * id has gone unanswered, so that the release must close the door behind it (bury, PROTOCOL §3). Thread-safe.
 */
final class Ballot {

    private final OwnerId first;
    private final AtomicIntegerArray rounds;
    private final AtomicIntegerArray unanswered;
    private final AtomicIntegerArray carriedOut;
    private final AtomicLong longestTtlMillis = new AtomicLong();

    Ballot(String client, long ticketTime, int nodes) {
        first = new OwnerId(client, ticketTime, 0);
        rounds = new AtomicIntegerArray(nodes);
        unanswered = new AtomicIntegerArray(nodes);
        carriedOut = new AtomicIntegerArray(nodes);
    }

    long attempt() {
        return first.attempt();
    }

    Ticket ticket() {
        return first.ticket();
    }

    /** The owner id of the first round, which is how people are shown the attempt. */
    OwnerId owner() {
        return first;
    }

    OwnerId owner(int node) {
        int round = rounds.get(node);
        return round == 0 ? first : new OwnerId(first.client(), first.attempt(), round);
    }

    int round(int node) {
        return rounds.get(node);
    }

    /** A new name at this node: what comes for the old one is recognisable from now on. */
    void nextRound(int node) {
        rounds.incrementAndGet(node);
        unanswered.set(node, 0);
        carriedOut.set(node, 0);
    }

    /** Requests for votes that last so long are about to be sent to these nodes; each will be answered, if only by "not sent". */
    void asked(BitSet nodes, long ttlMillis) {
        nodes.stream().forEach(node -> {
            unanswered.incrementAndGet(node);
            carriedOut.incrementAndGet(node);
        });
        longestTtlMillis.accumulateAndGet(ttlMillis, Math::max);
    }

    /** The longest time that a vote was asked to last. */
    long longestTtlMillis() {
        return longestTtlMillis.get();
    }

    /** An answer to a request of that round; one that leaves open whether the request was carried out changes nothing. */
    void answered(int node, int round, AcquireAnswer answer) {
        boolean unknown = answer instanceof Unavailable unavailable && unavailable.maybeExecuted();
        if (unknown || rounds.get(node) != round) {
            return;
        }
        unanswered.decrementAndGet(node);
        if (answer instanceof Unavailable || answer instanceof AcquireAnswer.Quarantined) {
            carriedOut.decrementAndGet(node);
        }
    }

    /** Whether a request may still be under way to the node, or may have been carried out without this client knowing. */
    boolean hasUnanswered(int node) {
        return unanswered.get(node) > 0;
    }

    /** Whether the node may know of this round at all. */
    boolean mayBeKnownAt(int node) {
        return carriedOut.get(node) > 0;
    }
}
