package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.quorum.Grant;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.quorum.Validity;
import dev.holdfast.internal.quorum.VoteSet;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ResourceState;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The adoption of a lease that another client has acquired (docs/decisions/0069). The nodes report how long its votes last and the lock's value. A report is no
 * proof, so the lease is first extended by the time that it has left. That extension may restore votes, so it must never be sent for a lease without a
 * majority: the lease may have been released long ago.
 */
public final class Adoption {

    private final OwnerId owner;
    private final long token;

    /** At each node, only the vote of this round counts: the first client may still release those of earlier rounds. */
    private final List<Integer> rounds;

    private long leftMillis;
    private @Nullable LockValue value;

    /**
     * Reads the text that {@link #text} has made.
     *
     * @param nodes the number of nodes
     * @throws IllegalArgumentException if it is not such a text for this number of nodes
     */
    public Adoption(String text, int nodes) {
        String[] parts = text.split(" ");
        try {
            owner = OwnerId.parse(parts[0]).orElseThrow();
            token = Long.parseLong(parts[1]);
            rounds = Arrays.stream(parts).skip(2).map(Integer::valueOf).toList();
            rounds.get(nodes - 1);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("adoption is '" + text + "', but must be that of a lease", e);
        }
    }

    /** Returns the text from which another client adopts the lease with these votes. */
    static String text(VoteSet votes, long token) {
        String rounds = votes.rounds().stream().map(String::valueOf).collect(Collectors.joining(" "));
        return votes.owner() + " " + token + " " + rounds;
    }

    /**
     * Learns what the nodes have reported of a lease for which a majority has a vote.
     *
     * @throws LeaseLostException if a majority has no vote
     * @throws dev.holdfast.lock.NoQuorumException if neither is known
     */
    long learn(String name, List<InspectAnswer> answers, int majority) {
        List<Long> left = new ArrayList<>();
        int answered = 0;
        for (int node = 0; node < answers.size(); node++) {
            if (answers.get(node) instanceof ResourceState state) {
                String expected =
                        owner.inRound(owner.round() + rounds.get(node)).toString();
                value = LockValue.later(state.value(), value);
                state.holders().stream()
                        .filter(holder -> holder.owner().equals(expected))
                        .forEach(holder ->
                                left.add(Math.max(holder.remainingMillis().orElse(0), 1)));
                answered++;
            }
        }
        if (left.size() < majority) {
            throw failure(name, answered - left.size() >= majority);
        }
        left.sort(Comparator.reverseOrder());
        leftMillis = left.get(majority - 1);
        return leftMillis;
    }

    /** Returns the grant of the lease, as it stands if the report is true. */
    Grant grant(Quorum quorum, SerialExecutor executor, AttemptSettings settings) {
        VoteSet votes = new VoteSet(quorum, executor, settings, owner);
        votes.adopt(rounds);
        Moment now = quorum.timing().now();
        long driftNanos = Validity.driftNanos(leftMillis * 1_000_000);
        return new Grant(votes, token, new Deadline(now, leftMillis * 1_000_000 - driftNanos), false, value, now);
    }

    /** Completes with the lease once a majority of nodes has confirmed it; otherwise leaves it to the nodes. */
    CompletableFuture<Lease> confirm(LeaseHandle lease) {
        return lease.startExtend(leftMillis).thenApply(outcome -> {
            if (outcome == ExtendOutcome.EXTENDED) {
                return lease;
            }
            lease.abandon();
            throw failure(lease.name(), outcome == ExtendOutcome.LOST);
        });
    }

    private RuntimeException failure(String name, boolean lost) {
        return lost
                ? new LeaseLostException(
                        "lease of '" + name + "' with token " + token + " is lost, or has ended at another client")
                : new Refusal(name, Refusal.Reason.NO_QUORUM, Duration.ZERO, List.of()).exception();
    }
}
