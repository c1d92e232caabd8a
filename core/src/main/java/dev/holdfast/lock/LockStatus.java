package dev.holdfast.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes know of a lock, together and each by itself, for people.
 *
 * @param name the name of the lock
 * @param nodes what each node said, in the order in which the nodes were given
 * @param holders the holders as the nodes see them together, those with a majority first, then by owner
 * @param waiters the queue of the node that answered with the longest one
 * @param seal that the work is done for good, if a node says so; of several the one that lasts longest
 * @param value what holders have left for later holders; the latest of the nodes' values
 */
public record LockStatus(
        String name,
        List<NodeState> nodes,
        List<Holder> holders,
        List<Waiter> waiters,
        Optional<SealedWork> seal,
        Optional<String> value) {

    /**
     * What one node said.
     *
     * @param node the node's name
     * @param state its state of the lock, if it answered
     * @param problem why there is no state; empty if there is one
     */
    public record NodeState(String node, Optional<LockState> state, String problem) {}

    /**
     * What one node knows of a lock.
     *
     * @param fence the node's fence, 0 if it remembers none
     * @param holders its votes, in the order of their owner ids
     * @param waiters its queue, the first waiter first
     * @param seal that the work is done for good
     */
    public record LockState(long fence, List<Vote> holders, List<Waiter> waiters, Optional<SealedWork> seal) {

        public LockState {
            holders = List.copyOf(holders);
            waiters = List.copyOf(waiters);
        }
    }

    /** Who wrote what a node stores in the place of the lock. */
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
     * @param kind who wrote it
     * @param owner the owner id, or what is stored in its place
     * @param mode the lock mode; EX if Holdfast did not write it
     * @param fence the fence of the vote; 0 for NL, and if Holdfast did not write it
     * @param remaining how long the vote lasts unless extended; null if it has no expiry
     */
    public record Vote(
            Writer kind,
            String owner,
            LockMode mode,
            long fence,
            @Nullable Duration remaining) {}

    /**
     * A position in the queue.
     *
     * @param owner the owner id
     * @param mode the requested lock mode
     * @param remaining how long the entry lasts unless its client re-sends the request
     */
    public record Waiter(String owner, LockMode mode, Duration remaining) {}

    /**
     * A holder as the nodes see it together.
     *
     * @param majorityVote the vote that a majority of nodes bears out: the owner id has no round, the fence is the largest that a majority
     *     has reached, and the remaining time is the longest that a majority grants. With fewer votes, all of them count instead
     * @param votes the number of nodes that have a vote of the holder
     * @param hasMajority whether these are a majority; if not, the client is acquiring the lock, is losing it, or left a vote behind
     */
    public record Holder(Vote majorityVote, int votes, boolean hasMajority) {

        /** Returns the owner id without its round, or the content that is stored in its place. */
        public String owner() {
            return majorityVote.owner();
        }

        /** Returns the lock mode. */
        public LockMode mode() {
            return majorityVote.mode();
        }

        /** Returns the fencing token, 0 if there is none. */
        public long token() {
            return majorityVote.fence();
        }

        /** Returns how long the lease lasts unless extended; null if it has no expiry. */
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

    /** How many nodes answered. */
    public int answered() {
        return (int) nodes.stream().filter(node -> node.state().isPresent()).count();
    }

    /** Whether a majority of nodes answered; without one nothing said here is certain. */
    public boolean hasQuorum() {
        return answered() >= majority();
    }

    /** Why each node that did not answer has not, with its name. */
    public List<String> problems() {
        return nodes.stream()
                .filter(node -> node.state().isEmpty())
                .map(node -> node.node() + ": " + node.problem())
                .toList();
    }

    /**
     * Returns if a majority of nodes answered.
     *
     * @throws NoQuorumException if not, with what kept the others from it
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
