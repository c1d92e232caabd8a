package dev.holdfast.internal.survey;

import dev.holdfast.internal.quorum.Validity;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A count of the nodes' states of one lock, which results in a {@link LockStatus}: the holders with their votes, the longest queue, the latest value. */
public final class StatusCount {

    /** The order of remaining times, in which a time without an end is the longest. */
    private static final Comparator<OptionalLong> BY_END =
            Comparator.comparingLong(millis -> millis.orElse(Long.MAX_VALUE));

    private final List<InspectAnswer> answers;

    private StatusCount(List<InspectAnswer> answers) {
        this.answers = answers;
    }

    /**
     * Creates the status.
     *
     * @param answers the nodes' answers, in their order
     * @param nodeName the name of the node at this index
     */
    public static LockStatus of(String name, List<InspectAnswer> answers, IntFunction<String> nodeName) {
        StatusCount count = new StatusCount(answers);
        return new LockStatus(
                name,
                IntStream.range(0, answers.size())
                        .mapToObj(node -> nodeState(nodeName.apply(node), answers.get(node)))
                        .toList(),
                count.holders(),
                count.waiters(),
                count.seal(),
                count.value());
    }

    private static LockStatus.NodeState nodeState(String node, InspectAnswer answer) {
        return answer instanceof ResourceState state
                ? new LockStatus.NodeState(node, Optional.of(lockState(state)), "")
                : new LockStatus.NodeState(node, Optional.empty(), ((Unavailable) answer).reason());
    }

    private static LockStatus.LockState lockState(ResourceState state) {
        return new LockStatus.LockState(
                state.fence(),
                state.holders().stream()
                        .map(vote -> vote(vote, vote.owner(), vote.fence(), vote.remainingMillis()))
                        .toList(),
                waiters(state),
                sealedWork(state));
    }

    private static LockStatus.Vote vote(ResourceState.Holder any, String owner, long fence, OptionalLong remaining) {
        String name = OwnerId.displayName(any.owner());
        LockStatus.Writer writer = LockStatus.Writer.valueOf(any.kind().name());
        return new LockStatus.Vote(writer, owner, name, any.mode(), fence, Durations.ofMillis(remaining));
    }

    private static List<LockStatus.Waiter> waiters(ResourceState state) {
        return state.waiters().stream()
                .map(waiter -> new LockStatus.Waiter(
                        waiter.owner(),
                        OwnerId.displayName(waiter.owner()),
                        waiter.mode(),
                        Duration.ofMillis(Math.max(waiter.remainingMillis(), 0))))
                .toList();
    }

    private static Optional<SealedWork> sealedWork(ResourceState state) {
        return Optional.ofNullable(state.seal()).map(Seal::sealedWork);
    }

    private List<LockStatus.Holder> holders() {
        Map<String, List<ResourceState.Holder>> byOwner = states().flatMap(state -> state.holders().stream())
                .collect(Collectors.groupingBy(holder ->
                        OwnerId.parse(holder.owner()).map(OwnerId::withoutRound).orElse(holder.owner())));
        return byOwner.entrySet().stream()
                .map(entry -> together(entry.getKey(), entry.getValue()))
                .sorted((one, other) -> one.hasMajority() != other.hasMajority()
                        ? (one.hasMajority() ? -1 : 1)
                        : one.owner().compareTo(other.owner()))
                .toList();
    }

    private LockStatus.Holder together(String owner, List<ResourceState.Holder> votes) {
        int needed = Math.min(majority(), votes.size());
        long token = reached(votes, ResourceState.Holder::fence, Comparator.naturalOrder(), needed);
        OptionalLong remaining = reached(votes, ResourceState.Holder::remainingMillis, BY_END, needed);
        ResourceState.Holder any = votes.get(0);
        LockStatus.Vote vote = vote(any, owner, token, remaining);
        return new LockStatus.Holder(vote, votes.size(), votes.size() >= majority());
    }

    /** Returns the largest value that this many of the votes reach. */
    private static <T> T reached(
            List<ResourceState.Holder> votes,
            Function<ResourceState.Holder, T> value,
            Comparator<T> order,
            int needed) {
        return votes.stream().map(value).sorted(order.reversed()).toList().get(needed - 1);
    }

    private List<LockStatus.Waiter> waiters() {
        return states().map(StatusCount::waiters)
                .max((one, other) -> Integer.compare(one.size(), other.size()))
                .orElse(List.of());
    }

    private Optional<SealedWork> seal() {
        return states().flatMap(state -> Stream.ofNullable(state.seal()))
                .max(Comparator.comparing(Seal::remainingMillis, BY_END))
                .map(Seal::sealedWork);
    }

    private Optional<String> value() {
        LockValue latest = null;
        for (ResourceState state : states().toList()) {
            latest = LockValue.later(state.value(), latest);
        }
        return Optional.ofNullable(latest).map(LockValue::text).filter(text -> !text.isEmpty());
    }

    private Stream<ResourceState> states() {
        return answers.stream().filter(ResourceState.class::isInstance).map(ResourceState.class::cast);
    }

    private int majority() {
        return Validity.majority(answers.size());
    }
}
