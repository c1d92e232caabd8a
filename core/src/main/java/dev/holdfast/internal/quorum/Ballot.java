package dev.holdfast.internal.quorum;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import java.util.BitSet;

/**
 * What an attempt asks for, and who it and the lease that it becomes is at each node: the owner id with its round there, and whether a
 * request under that id may still arrive after the release, which must close the door behind it then (bury, PROTOCOL §3). Accessed only on their serial executor, but for what never changes.
 */
public final class Ballot {

    private static final int ROUND = 0;
    private static final int UNANSWERED = 1;
    private static final int CARRIED_OUT = 2;
    private static final int DOUBTFUL = 3;
    private static final int ROUNDS_RELEASED = 4;
    private static final int COUNTS = 5;

    private final AttemptSettings settings;
    private final OwnerId first;
    private final int[]
            counts; // of each node: its round, requests unanswered, that may have been carried out, in doubt, rounds
    // released
    private long longestTtlMillis;
    private boolean over;

    /**
     * Not asked for yet.
     *
     * @param firstRound the number that the rounds of all nodes begin with
     */
    Ballot(AttemptSettings settings, String client, long ticketTime, int firstRound, int nodes) {
        this.settings = settings;
        first = new OwnerId(client, ticketTime, firstRound);
        counts = new int[nodes * COUNTS];
    }

    public AttemptSettings settings() {
        return settings;
    }

    public long attempt() {
        return first.attempt();
    }

    Ticket ticket() {
        return first.ticket();
    }

    /** The owner id of the first round, which is how people are shown the attempt. */
    public OwnerId owner() {
        return first;
    }

    OwnerId owner(int node) {
        return ownerOf(round(node));
    }

    OwnerId ownerOf(int round) {
        return round == 0 ? first : new OwnerId(first.client(), first.attempt(), first.round() + round);
    }

    /** Whether this is the owner id at that node, its latest round. */
    public boolean isOwner(int node, OwnerId owner) {
        return owner.attempt() == first.attempt()
                && roundOf(owner) == round(node)
                && owner.client().equals(first.client());
    }

    /** Which round of this attempt an owner id names, from 0. */
    int roundOf(OwnerId owner) {
        return owner.round() - first.round();
    }

    int round(int node) {
        return counts[node * COUNTS + ROUND];
    }

    /** A new name at this node: what comes for the old one is recognisable from now on. */
    void nextRound(int node) {
        counts[node * COUNTS + ROUND]++;
        counts[node * COUNTS + UNANSWERED] = 0;
        counts[node * COUNTS + CARRIED_OUT] = 0;
        counts[node * COUNTS + DOUBTFUL] = 0;
    }

    /** All of it is given back; nothing is asked any more. */
    void end() {
        over = true;
    }

    /** Requests for votes that last so long are about to be sent to these nodes; each will be answered, if only by "not sent". */
    void asked(BitSet nodes, long ttlMillis) {
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            counts[node * COUNTS + UNANSWERED]++;
            counts[node * COUNTS + CARRIED_OUT]++;
        }
        longestTtlMillis = Math.max(longestTtlMillis, ttlMillis);
    }

    /** The longest time that a vote was asked to last. */
    long longestTtlMillis() {
        return longestTtlMillis;
    }

    /**
     * An answer to a request of that round; one that leaves open whether the request was carried out changes only what is known of it.
     *
     * @return whether the release of its round, which was sent meanwhile, may have overtaken the request, or has
     */
    boolean answered(int node, int round, AcquireAnswer answer) {
        boolean unknown = answer instanceof Unavailable unavailable && unavailable.maybeExecuted();
        if (counts[node * COUNTS + ROUNDS_RELEASED] > round && leavesSomething(answer)) {
            return true;
        }
        if (round(node) != round) {
            return unknown;
        }
        if (unknown) {
            doubt(node);
            return over;
        }
        counts[node * COUNTS + UNANSWERED]--;
        if (answer instanceof Unavailable || answer instanceof AcquireAnswer.Quarantined) {
            counts[node * COUNTS + CARRIED_OUT]--;
        }
        return false;
    }

    /** The node has answered the release of that round. Whatever the node grants to that round later must be released. */
    void released(int node, int round) {
        int at = node * COUNTS + ROUNDS_RELEASED;
        counts[at] = Math.max(counts[at], round + 1);
    }

    /** Whether the node has a vote or a place in its queue since this answer. */
    private static boolean leavesSomething(AcquireAnswer answer) {
        return answer instanceof AcquireAnswer.Granted || answer instanceof AcquireAnswer.Queued;
    }

    /** Whether a request may still be under way to the node, or may have been carried out without this client knowing. */
    boolean hasUnanswered(int node) {
        return counts[node * COUNTS + UNANSWERED] > 0;
    }

    /** A request of that round has not been answered in time. */
    void timedOut(int node, int round) {
        if (round(node) == round) {
            doubt(node);
        }
    }

    private void doubt(int node) {
        counts[node * COUNTS + DOUBTFUL]++;
    }

    /**
     * Whether a request may arrive after the release: it has ended unknown, or takes too long. One that is under way as usual can't, since
     * a node carries out in order what comes by one connection; and if that ends, so does the request, unknown.
     */
    boolean mayArriveLate(int node) {
        return hasUnanswered(node) && counts[node * COUNTS + DOUBTFUL] > 0;
    }

    /** Whether the node may know of this round at all. */
    boolean mayBeKnownAt(int node) {
        return counts[node * COUNTS + CARRIED_OUT] > 0;
    }
}
