package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcRequestClosure;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import dev.holdfast.time.Scheduler;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A follower's reaction to the death of the leader's process: it starts an election at once instead of waiting for the election timeout.
 *
 * <p>A process that ends closes its connections and its port. So when a connection ends, this server tries to connect to the leader. If the leader's machine
 * refuses, no process listens there any more. A leader that is only slow or stopped still has its port, so a starved machine causes no election here. A
 * needless election would be safe: only a server with all committed entries can win one.
 *
 * <p>Thread-safe.
 */
final class LeaderWatch {

    private static final int ATTEMPTS = 5;
    private static final long ATTEMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(40); // a dying process closes its port last
    private static final int CONNECT_MILLIS = 500;

    private final String cluster;
    private final Scheduler scheduler;
    private final Supplier<@Nullable Node> node;
    private final Supplier<List<PeerId>> members;
    private final Function<PeerId, CompletableFuture<PeerMessage>> asking;
    private final LongSupplier term;
    private long lookedAt;

    /**
     * Creates a watch of a server that has not started yet.
     *
     * @param members the present members
     * @param asking asks a member for its state
     * @param term returns the term that this server has reached
     */
    LeaderWatch(
            String cluster,
            Scheduler scheduler,
            Supplier<@Nullable Node> node,
            Supplier<List<PeerId>> members,
            Function<PeerId, CompletableFuture<PeerMessage>> asking,
            LongSupplier term) {
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.node = node;
        this.members = members;
        this.asking = asking;
        this.term = term;
    }

    /** Looks for the leader, since a connection of another server has ended. Returns at once. */
    void connectionEnded() {
        scheduler.execute(() -> look(ATTEMPTS));
    }

    private void look(int attempts) {
        Node running = node.get();
        long present = term.getAsLong();
        if (running == null || running.isLeader() || present == 0) {
            return;
        }
        PeerId leader = running.getLeaderId();
        if (leader == null || leader.isEmpty()) {
            return;
        }
        if (refuses(leader)) {
            if (isFirstIn(present)) {
                electIfFirst(running, leader, present);
            }
        } else if (attempts > 1) {
            scheduler.schedule(ATTEMPT_NANOS, () -> look(attempts - 1));
        }
    }

    private synchronized boolean isFirstIn(long present) {
        boolean first = lookedAt < present;
        lookedAt = Math.max(lookedAt, present);
        return first;
    }

    private static boolean refuses(PeerId leader) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(leader.getIp(), leader.getPort()), CONNECT_MILLIS);
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false; // no answer says nothing: the election timeout decides
        }
    }

    /**
     * Starts an election if this server is the one that should: that with the most log, and the lowest address of those. Two that start at once would take
     * votes from each other. If the first one does not win, the election timeout decides.
     */
    private void electIfFirst(Node running, PeerId leader, long inTerm) {
        PeerId self = running.getNodeId().getPeerId();
        List<CompletableFuture<Boolean>> before = members.get().stream()
                .filter(member -> !member.equals(leader) && !member.equals(self))
                .map(member -> asking.apply(member)
                        .handle((answer, failure) ->
                                answer == null ? !refuses(member) : isBefore(member, answer, self, running)))
                .toList();
        CompletableFuture.allOf(before.toArray(CompletableFuture[]::new)).thenRun(() -> {
            if (before.stream().noneMatch(CompletableFuture::join)) {
                elect(running, leader, inTerm);
            }
        });
    }

    private static boolean isBefore(PeerId member, PeerMessage answer, PeerId self, Node running) {
        long more = answer.number("last") - running.getLastLogIndex();
        return answer.number("identity") == member.getIdx()
                && (more > 0 || (more == 0 && member.toString().compareTo(self.toString()) < 0));
    }

    /** Starts an election, unless the term has changed. The engine compares it. */
    private void elect(Node running, PeerId leader, long inTerm) {
        TimeoutNowRequest request = TimeoutNowRequest.newBuilder()
                .setGroupId(cluster)
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
