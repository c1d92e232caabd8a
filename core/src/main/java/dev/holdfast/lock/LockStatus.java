package dev.holdfast.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock at its nodes, both combined and per node, for people.
 *
 * @param name the name of the lock
 * @param nodes the answer of each node, in the order of the client's configuration
 * @param holders the holders according to all nodes, first those with a majority of votes, then by owner
 * @param waiters the queue of the node that answered with the longest one
 * @param seal the seal of the lock, if a node reports one; of several seals, the one that lasts longest
 * @param value the value that a holder left for later holders; the latest of the nodes' values
 */
public record LockStatus(
        String name,
        List<NodeState> nodes,
        List<Holder> holders,
        List<Waiter> waiters,
        Optional<SealedWork> seal,
        Optional<String> value) {

    /**
     * The answer of one node.
     *
     * @param node the node's name
     * @param state the state of the lock at this node, if the node answered
     * @param problem the reason why the node reported no state; empty if it reported one
     */
    public record NodeState(String node, Optional<LockState> state, String problem) {}

    /**
     * The state of a lock at one node.
     *
     * @param fence the fence of the lock at this node, 0 if the node remembers none
     * @param holders the votes of the node, in the order of their owner ids
     * @param waiters the queue of the node, beginning with the first waiter
     * @param seal the seal of the lock at this node, if there is one
     */
    public record LockState(long fence, List<Vote> holders, List<Waiter> waiters, Optional<SealedWork> seal) {

        public LockState {
            holders = List.copyOf(holders);
            waiters = List.copyOf(waiters);
        }
    }

    /** The kind of program that wrote the content of a lock's key at a node. */
    public enum Writer {
        /** A Holdfast client. */
        HOLDFAST,
        /** Another client of the Redis documentation's algorithm. */
        FOREIGN,
        /** A program that stores something that is not a lock. */
        OTHER_TYPE,
    }

    /**
     * A vote of one node.
     *
     * @param kind the kind of program that wrote the vote
     * @param owner the owner id, or the content that is stored in its place
     * @param name the owner's name for people: its {@link LockOptions#label}, or its client's name; the content if Holdfast did not write it
     * @param mode the lock mode; EX if Holdfast did not write it
     * @param fence the fence of the vote; 0 for NL, and if Holdfast did not write it
     * @param remaining how long the vote lasts without an extension; null if it has no expiry
     */
    public record Vote(
            Writer kind,
            String owner,
            String name,
            LockMode mode,
            long fence,
            @Nullable Duration remaining) {}

    /**
     * A position in the queue.
     *
     * @param owner the owner id
     * @param name the owner's name for people, as in a {@link Vote}
     * @param mode the requested lock mode
     * @param remaining how long the entry lasts unless its client re-sends the request
     */
    public record Waiter(String owner, String name, LockMode mode, Duration remaining) {}

    /**
     * A holder according to all nodes.
     *
     * @param majorityVote the vote that a majority of nodes confirms. Its owner id has no round, its fence is the largest that a majority has
     *     reached, and its remaining time is the longest that a majority grants. If fewer nodes have a vote of the holder, all their votes count
     *     instead of a majority.
     * @param votes the number of nodes that have a vote of the holder
     * @param hasMajority whether a majority of nodes has a vote of the holder; if not, the client is acquiring the lock, is losing it, or left a vote
     *     behind
     */
    public record Holder(Vote majorityVote, int votes, boolean hasMajority) {

        /** Returns the owner id without its round, or the content that is stored in its place. */
        public String owner() {
            return majorityVote.owner();
        }

        /** Returns the owner's name for people, as in a {@link Vote}. */
        public String name() {
            return majorityVote.name();
        }

        /** Returns the lock mode. */
        public LockMode mode() {
            return majorityVote.mode();
        }

        /**
         * Returns the fencing token, 0 if there is none. A client that {@linkplain LockOptions#localHandOver hands leases over} may acquire several tokens at
         * once. Then this is the largest of them, and {@link Lease#fencingToken} may be smaller.
         */
        public long token() {
            return majorityVote.fence();
        }

        /** Returns how long the lease lasts without an extension; null if it has no expiry. */
        public @Nullable Duration remaining() {
            return majorityVote.remaining();
        }

        /** Returns the kind of program that wrote the votes. */
        public Writer kind() {
            return majorityVote.kind();
        }
    }

    public LockStatus {
        nodes = List.copyOf(nodes);
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /** Returns the number of nodes that answered. */
    public int answered() {
        return (int) nodes.stream().filter(node -> node.state().isPresent()).count();
    }

    /** Returns whether a majority of nodes answered. Without a majority, no part of this status is certain. */
    public boolean hasQuorum() {
        return answered() >= majority();
    }

    /** Returns the name of each node that did not answer, with the reason. */
    public List<String> problems() {
        return nodes.stream()
                .filter(node -> node.state().isEmpty())
                .map(node -> node.node() + ": " + node.problem())
                .toList();
    }

    /**
     * Checks that a majority of nodes answered.
     *
     * @throws NoQuorumException if fewer nodes answered; the exception names each node that did not answer, with the reason
     */
    public void requireQuorum() {
        if (!hasQuorum()) {
            List<NodeReport> reports = nodes.stream()
                    .map(node -> new NodeReport(
                            node.node(),
                            node.state().isPresent() ? NodeReport.Kind.NOT_ASKED : NodeReport.Kind.ERROR,
                            node.state().isPresent() ? "for its vote" : node.problem(),
                            null,
                            0))
                    .toList();
            String silent = String.join("; ", problems());
            throw new NoQuorumException(
                    "state of lock '" + name + "' is not known: " + answered() + " of " + nodes.size()
                            + " nodes answered, " + majority() + " are needed [" + silent + "]",
                    new Refusal(name, Refusal.Reason.NO_QUORUM, Duration.ZERO, reports));
        }
    }

    private int majority() {
        return nodes.size() / 2 + 1;
    }
}
