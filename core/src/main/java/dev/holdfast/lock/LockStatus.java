package dev.holdfast.lock;

import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the nodes know of a lock, each by itself, for people.
 *
 * @param name the name of the lock
 * @param nodes what each node said, in the order in which the nodes were given
 */
public record LockStatus(String name, List<NodeState> nodes) {

    /**
     * What one node said.
     *
     * @param node the node's name
     * @param answer its state of the lock, or why there is none
     */
    public record NodeState(String node, InspectAnswer answer) {

        /** The node's state of the lock, if it answered. */
        public Optional<ResourceState> state() {
            return answer instanceof ResourceState state ? Optional.of(state) : Optional.empty();
        }

        /** Why there is no state; empty if there is one. */
        public String problem() {
            return answer instanceof Unavailable unavailable ? unavailable.reason() : "";
        }
    }

    /**
     * A holder as the nodes see it together.
     *
     * @param owner the owner id without its round, or what stands in its place
     * @param mode the lock mode
     * @param token the fencing token: the largest fence that a majority bears; 0 if there is none
     * @param remainingMillis the shortest that a majority still gives it; -1 for no end
     * @param votes at how many nodes it has a vote
     * @param hasMajority whether that is a majority: otherwise it is about to get the lock, about to lose it, or left over
     * @param kind whether Holdfast wrote it
     */
    public record Holder(
            String owner,
            LockMode mode,
            long token,
            long remainingMillis,
            int votes,
            boolean hasMajority,
            dev.holdfast.node.Blocker.Kind kind) {}

    public LockStatus {
        nodes = List.copyOf(nodes);
    }

    /** How many nodes answered. */
    public int answered() {
        return (int) states().count();
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

    /** Those with votes, those with a majority first, then by owner. */
    public List<Holder> holders() {
        Map<String, List<ResourceState.Holder>> byOwner = states().flatMap(state -> state.holders().stream())
                .collect(Collectors.groupingBy(holder -> withoutRound(holder.owner())));
        return byOwner.entrySet().stream()
                .map(entry -> together(entry.getKey(), entry.getValue()))
                .sorted((one, other) -> one.hasMajority() != other.hasMajority()
                        ? (one.hasMajority() ? -1 : 1)
                        : one.owner().compareTo(other.owner()))
                .toList();
    }

    /** What holders have left for those who come after; of the nodes' values the latest. */
    public Optional<String> value() {
        LockValue latest = null;
        for (ResourceState state : states().toList()) {
            latest = LockValue.later(state.value(), latest);
        }
        return Optional.ofNullable(latest).map(LockValue::text).filter(text -> !text.isEmpty());
    }

    /** That the work is done for good, if any node says so; of several the one that lasts longest. */
    public Optional<Seal> seal() {
        return states().flatMap(state -> Stream.ofNullable(state.seal()))
                .max(Comparator.comparingLong(seal -> endless(seal.remainingMillis())));
    }

    /** Those in line: the queue of the node that answered with the longest one. */
    public List<ResourceState.Waiter> waiters() {
        return states().map(ResourceState::waiters)
                .max((one, other) -> Integer.compare(one.size(), other.size()))
                .orElse(List.of());
    }

    private Holder together(String owner, List<ResourceState.Holder> votes) {
        int needed = Math.min(majority(), votes.size());
        long token = votes.stream()
                .map(ResourceState.Holder::fence)
                .sorted((one, other) -> Long.compare(other, one))
                .skip(needed - 1)
                .findFirst()
                .orElse(0L);
        long remaining = votes.stream()
                .map(ResourceState.Holder::remainingMillis)
                .sorted((one, other) -> Long.compare(endless(other), endless(one)))
                .skip(needed - 1)
                .findFirst()
                .orElse(0L);
        ResourceState.Holder any = votes.get(0);
        return new Holder(owner, any.mode(), token, remaining, votes.size(), votes.size() >= majority(), any.kind());
    }

    private static long endless(long remainingMillis) {
        return remainingMillis < 0 ? Long.MAX_VALUE : remainingMillis;
    }

    private static String withoutRound(String owner) {
        return dev.holdfast.node.OwnerId.parse(owner)
                .map(dev.holdfast.node.OwnerId::withoutRound)
                .orElse(owner);
    }

    private Stream<ResourceState> states() {
        return nodes.stream().flatMap(node -> node.state().stream());
    }

    private int majority() {
        return nodes.size() / 2 + 1;
    }
}
