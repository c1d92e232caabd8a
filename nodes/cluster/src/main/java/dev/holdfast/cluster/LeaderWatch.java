package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcRequestClosure;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import dev.holdfast.time.Scheduler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A follower's reaction to the death of the process that leads its group: it starts an election at once instead of waiting for the election timeout.
 *
 * <p>A process that ends closes its connections and its port. So when a connection ends, this server asks the leader for its state. If the leader's machine
 * refuses the connection, no process listens there any more. A leader that is only slow or stopped still has its port, so a starved machine causes no election
 * here. A needless election would be safe: only a server with all committed entries can win one.
 *
 * <p>The question goes over a connection that stays open. A connection that was opened and closed for each look would make the leader look for the leaders of
 * its other groups, and so two servers would look without end.
 *
 * <p>Thread-safe.
 */
final class LeaderWatch {

    private static final int ATTEMPTS = 5;
    private static final long ATTEMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(40); // a dying process closes its port last

    private final Group group;
    private final Scheduler scheduler;
    private final Function<PeerId, CompletableFuture<PeerMessage>> asking;
    private final AtomicInteger left = new AtomicInteger(); // how many looks are left
    private long lookedAt;

    /**
     * Creates a watch of a group that has not started yet.
     *
     * @param asking asks a member for its state
     */
    LeaderWatch(Group group, Scheduler scheduler, Function<PeerId, CompletableFuture<PeerMessage>> asking) {
        this.group = group;
        this.scheduler = scheduler;
        this.asking = asking;
    }

    /** Looks for the leader, since a connection of another server has ended. Returns at once. */
    void connectionEnded() {
        if (left.getAndSet(ATTEMPTS)
                == 0) { // otherwise, the looks under way begin again: a process ends many connections
            scheduler.execute(this::look);
        }
    }

    private void look() {
        int before = left.get();
        lookOnce().whenComplete((ended, failure) -> {
            int after = failure != null || ended ? 0 : before - 1;
            if (!left.compareAndSet(before, after) || after > 0) {
                scheduler.schedule(ATTEMPT_NANOS, () -> scheduler.execute(this::look));
            }
        });
    }

    /** Looks once. Completes with whether no further look is necessary. */
    private CompletableFuture<Boolean> lookOnce() {
        Node running = group.node();
        long present = group.term();
        PeerId leader = running == null || running.isLeader() || present == 0 ? null : running.getLeaderId();
        if (running == null || leader == null || leader.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        return asking.apply(leader).handle((answer, failure) -> {
            boolean dead = failure != null && PeerTraffic.isRefusal(failure);
            if (dead && isFirstIn(present)) {
                electIfFirst(running, leader, present);
            }
            return dead;
        });
    }

    private synchronized boolean isFirstIn(long present) {
        boolean first = lookedAt < present;
        lookedAt = Math.max(lookedAt, present);
        return first;
    }

    /**
     * Starts an election if this server is the one that should: that with the most log, and of those the first in the group's order. Two that start at
     * once would take votes from each other. If the first one does not win, the election timeout decides.
     */
    private void electIfFirst(Node running, PeerId leader, long inTerm) {
        PeerId self = running.getNodeId().getPeerId();
        List<CompletableFuture<Boolean>> before = group.present().stream()
                .filter(member -> !member.equals(leader) && !member.equals(self))
                .map(member -> asking.apply(member)
                        .handle((answer, failure) -> answer == null
                                ? !PeerTraffic.isRefusal(failure)
                                : isBefore(member, answer, self, running)))
                .toList();
        CompletableFuture.allOf(before.toArray(CompletableFuture[]::new)).thenRun(() -> {
            if (before.stream().noneMatch(CompletableFuture::join)) {
                elect(running, leader, inTerm);
            }
        });
    }

    private boolean isBefore(PeerId member, PeerMessage answer, PeerId self, Node running) {
        long more = group.part(answer).number("last") - running.getLastLogIndex();
        List<PeerId> order = Spreading.preferred(group.present(), group.index());
        return answer.number("identity") == member.getIdx()
                && (more > 0 || (more == 0 && order.indexOf(member) < order.indexOf(self)));
    }

    /** Starts an election, unless the term has changed. The engine compares it. */
    private void elect(Node running, PeerId leader, long inTerm) {
        TimeoutNowRequest request = TimeoutNowRequest.newBuilder()
                .setGroupId(group.engineName())
                .setServerId(leader.toString())
                .setPeerId(running.getNodeId().getPeerId().toString())
                .setTerm(inTerm)
                .build();
        ((NodeImpl) running).handleTimeoutNowRequest(request, new RpcRequestClosure(new Unheard()));
    }

    /** The sender of a request that wants no answer. */
    private static final class Unheard implements RpcContext {

        @Override
        public void sendResponse(Object response) {}

        @Override
        public @Nullable Connection getConnection() {
            return null;
        }

        @Override
        public String getRemoteAddress() {
            return "";
        }
    }
}
