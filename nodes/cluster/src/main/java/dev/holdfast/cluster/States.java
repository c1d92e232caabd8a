package dev.holdfast.cluster;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.holdfast.lock.HoldfastException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The states of groups, for a backup. A server asks the leaders of those that it does not lead. Thread-safe. */
final class States {

    /** The question to the leader of a group for its state. */
    static final String STATE = "state";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ClusterConfig config;
    private final PeerTraffic traffic;

    States(ClusterConfig config, PeerTraffic traffic) {
        this.config = config;
        this.traffic = traffic;
    }

    /** Returns the states of these groups. Completes exceptionally with a {@link HoldfastException} if one of them cannot be had. */
    CompletionStage<List<byte[]>> of(List<Group> groups) {
        CompletionStage<List<byte[]>> all = CompletableFuture.completedFuture(List.of());
        for (Group group : groups) {
            all = all.thenCompose(before -> of(group)
                    .thenApply(state ->
                            Stream.concat(before.stream(), Stream.of(state)).toList()));
        }
        return all;
    }

    private CompletionStage<byte[]> of(Group group) {
        Optional<PeerId> leader = group.leader();
        if (leader.isEmpty() || leader.get().equals(group.self())) {
            return group.state();
        }
        PeerMessage question =
                new PeerMessage(Map.of("question", STATE, "cluster", config.cluster(), "group", "" + group.index()));
        return traffic.ask(Members.address(leader.get()), question, PATIENCE).handle((answer, failure) -> {
            if (answer == null) {
                throw new HoldfastException("the leader of " + group.title() + " does not answer");
            }
            if (!answer.get("problem").isEmpty()) {
                throw new HoldfastException(answer.get("problem"));
            }
            return answer.content();
        });
    }

    /** Answers another server that asks for the state of a group that this one leads. */
    CompletableFuture<PeerMessage> answer(PeerMessage question, List<Group> groups) {
        long group = question.number("group");
        if (!question.get("cluster").equals(config.cluster()) || group < 0 || group >= groups.size()) {
            return CompletableFuture.completedFuture(
                    new PeerMessage(Map.of("problem", "server " + config.name() + " has no such group")));
        }
        return groups.get((int) group)
                .state()
                .handle((state, failure) -> new PeerMessage(
                        failure == null ? PeerMessage.contentFields(state) : Map.of("problem", reason(failure))))
                .toCompletableFuture();
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return String.valueOf(cause.getMessage());
    }
}
