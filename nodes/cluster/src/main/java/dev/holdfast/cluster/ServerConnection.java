package dev.holdfast.cluster;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A client's view of one server of a cluster. It notifies the client in order, on worker threads. */
final class ServerConnection implements LockNode {

    private static final Unavailable CLOSED = new Unavailable("closed", false);

    private final ClusterServer server;
    private final String client;
    private final NodeListener listener;
    private final Scheduler scheduler;
    private final ConcurrentLinkedQueue<Runnable> notices = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    ServerConnection(ClusterServer server, String client, NodeListener listener, Scheduler scheduler) {
        this.server = server;
        this.client = client;
        this.listener = listener;
        this.scheduler = scheduler;
    }

    /** Delivers a push if it is for this client. */
    void pushed(Push push) {
        if (push.owner().client().equals(client)) {
            inform(() -> listener.pushed(push));
        }
    }

    /** Notifies the client of whether the server leads. The notice tells the state at its delivery, so the last one tells the present state. */
    void tellLead() {
        inform(() -> {
            Optional<String> refusal = server.refusal();
            if (refusal.isPresent()) {
                listener.unavailable(refusal.get());
            } else {
                listener.available(server.cluster());
            }
        });
    }

    private void inform(Runnable notice) {
        notices.add(notice);
        scheduler.execute(this::deliver);
    }

    /** Delivers in order: a worker that finds another one at work waits for it. */
    private synchronized void deliver() {
        for (Runnable notice = notices.poll(); notice != null; notice = notices.poll()) {
            if (!closed) {
                notice.run();
            }
        }
    }

    @Override
    public String name() {
        return "cluster:" + server.cluster() + "/" + server.name();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        return answer(new Operation.Acquire(request));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        return answer(new Operation.Release(request));
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return closed ? CompletableFuture.completedFuture(CLOSED) : server.inspect(new Operation.Inspect(resource));
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        return answer(new Operation.Names(prefix, limit));
    }

    /** Carries out an operation. {@link Unavailable} belongs to the answers of every operation that clients send. */
    @SuppressWarnings("unchecked")
    private <A> CompletionStage<A> answer(Operation<A> operation) {
        return closed ? CompletableFuture.completedFuture((A) CLOSED) : (CompletionStage<A>) server.propose(operation);
    }

    @Override
    public Persistence persistence() {
        return Persistence.ALL;
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        if (closed) {
            return CompletableFuture.completedFuture(
                    NodeStatus.unreachable(name(), NodeStatus.State.DOWN, CLOSED.reason()));
        }
        return server.confirmLead().thenApply(this::status);
    }

    private NodeStatus status(Optional<String> refusal) {
        if (refusal.isPresent()) {
            return NodeStatus.unreachable(name(), NodeStatus.State.DOWN, refusal.get());
        }
        return new NodeStatus(
                name(),
                NodeStatus.State.UP,
                "",
                Duration.ZERO,
                Duration.ZERO,
                new NodeStatus.Server(server.cluster(), "cluster", server.uptime(), null, Persistence.ALL, List.of()));
    }

    @Override
    public void close() {
        closed = true;
        server.disconnected(this);
    }
}
