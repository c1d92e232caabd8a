package dev.holdfast;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.BreakReport;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A break of one lease, based on the state of its lock. It releases the votes of the lease's owner at every node. */
final class LeaseBreak {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());
    private static final long TOMBSTONE_MILLIS = 60_000;

    private final HoldfastAdmin admin;
    private final String resource;
    private final LockStatus status;
    private final long token;

    LeaseBreak(HoldfastAdmin admin, String resource, LockStatus status, long token) {
        this.admin = admin;
        this.resource = resource;
        this.status = status;
        this.token = token;
    }

    BreakReport carryOut(String reason) throws InterruptedException {
        Optional<OwnerId> owner = owner();
        if (owner.isEmpty()) {
            return new BreakReport(
                    status.hasQuorum() ? BreakOutcome.NOT_FOUND : BreakOutcome.UNCONFIRMED, status.problems());
        }
        LOG.log(
                Level.WARNING,
                "Lease of ''{0}'' with token {1}, held by {2}, is broken: {3}",
                status.name(),
                token,
                owner.get(),
                reason);
        List<String> problems = releaseVotes(owner.get());
        int released = status.nodes().size() - problems.size();
        return new BreakReport(released >= admin.majority() ? BreakOutcome.BROKEN : BreakOutcome.UNCONFIRMED, problems);
    }

    /**
     * Returns the owner of the lease with this token that has a majority of votes. Without such a lease, returns the owner of any vote with that
     * fence, since each node counts fences separately.
     */
    private Optional<OwnerId> owner() {
        Stream<String> leases = status.holders().stream()
                .filter(holder -> holder.hasMajority() && holder.token() == token)
                .flatMap(holder ->
                        allVotes().map(LockStatus.Vote::owner).filter(owner -> owner.startsWith(holder.owner() + "/")));
        Stream<String> votes = allVotes().filter(vote -> vote.fence() == token).map(LockStatus.Vote::owner);
        return Stream.concat(leases, votes)
                .flatMap(text -> OwnerId.parse(text).stream())
                .findFirst()
                .map(OwnerId::firstRound);
    }

    private Stream<LockStatus.Vote> allVotes() {
        return status.nodes().stream()
                .flatMap(node -> node.state().stream())
                .flatMap(state -> state.holders().stream());
    }

    /**
     * Releases the votes and leaves tombstones, so that an extension cannot restore the broken lease. The tombstones last longer than the votes would
     * have, since the next extension comes before the votes end.
     */
    private List<String> releaseVotes(OwnerId owner) throws InterruptedException {
        long tombstoneMillis = Math.max(longestVoteMillis(owner), TOMBSTONE_MILLIS);
        List<ReleaseAnswer> answers = Await.interruptibly(admin.surveyOfServers(
                (node, index) -> {
                    OwnerId here = ownerAt(owner, status.nodes().get(index));
                    return node.release(new ReleaseRequest(resource, here, tombstoneMillis));
                },
                HoldfastAdmin::silent));
        List<String> problems = new ArrayList<>();
        for (int node = 0; node < answers.size(); node++) {
            if (answers.get(node) instanceof Unavailable unavailable) {
                problems.add(status.nodes().get(node).node() + ": " + unavailable.reason());
            }
        }
        return problems;
    }

    /** Returns the owner's id at this node, which may contain another round there. */
    private static OwnerId ownerAt(OwnerId owner, LockStatus.NodeState node) {
        return votes(owner, node)
                .flatMap(vote -> OwnerId.parse(vote.owner()).stream())
                .findFirst()
                .orElse(owner);
    }

    private long longestVoteMillis(OwnerId owner) {
        return status.nodes().stream()
                .flatMap(node -> votes(owner, node))
                .flatMap(vote -> Stream.ofNullable(vote.remaining()))
                .mapToLong(remaining -> remaining.toMillis())
                .max()
                .orElse(0);
    }

    private static Stream<LockStatus.Vote> votes(OwnerId owner, LockStatus.NodeState node) {
        return node.state().stream()
                .flatMap(state -> state.holders().stream())
                .filter(vote -> OwnerId.parse(vote.owner())
                        .filter(id -> id.ticket().equals(owner.ticket()))
                        .isPresent());
    }
}
