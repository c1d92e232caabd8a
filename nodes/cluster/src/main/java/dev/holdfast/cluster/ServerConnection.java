package dev.holdfast.cluster;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** A client's view of one server of a cluster. It notifies the client in order, on worker threads. */
final class ServerConnection implements LockNode {

    private static final Unavailable CLOSED = new Unavailable("closed", false);

    private final ClusterServer server;
    private final String client;
    private final NodeListener listener;
    private final Scheduler scheduler;
    private final ConcurrentLinkedQueue<Runnable> notices = new ConcurrentLinkedQueue<>();
    private Map<Integer, Long> told =
            Map.of(); // the groups that the client knows this server to lead, with their terms; guarded by this
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

    /**
     * Notifies the client of whether the server leads, and of each change of the groups that it leads. The notice tells the state at its delivery, so
     * the last one tells the present state.
     */
    void tellLead() {
        inform(() -> {
            Optional<String> refusal = server.refusal();
            Map<Integer, Long> before = told;
            told = refusal.isPresent() ? Map.of() : server.terms();
            if (refusal.isPresent()) {
                listener.unavailable(refusal.get());
            } else if (!told.equals(before)) {
                listener.available(server.clusterId());
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
    public LockGroups groups() {
        return server.groups();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        return answer(request.resource(), new Operation.Acquire(request));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        return answer(request.resource(), new Operation.Release(request));
    }

    /** Carries out an operation. {@link Unavailable} belongs to the answers of every operation that clients send. */
    @SuppressWarnings("unchecked")
    private <A> CompletionStage<A> answer(String resource, Operation<A> operation) {
        return closed
                ? CompletableFuture.completedFuture((A) CLOSED)
                : (CompletionStage<A>) server.groupOf(resource).propose(operation);
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return closed
                ? CompletableFuture.completedFuture(CLOSED)
                : server.groupOf(resource).inspect(new Operation.Inspect(resource));
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        Optional<String> refusal = server.refusal();
        if (closed || refusal.isPresent()) {
            return CompletableFuture.completedFuture(closed ? CLOSED : new Unavailable(refusal.orElseThrow(), false));
        }
        CompletionStage<List<ListAnswer>> all = CompletableFuture.completedFuture(List.of());
        for (Group group : server.led()) {
            all = all.thenCombine(
                    group.propose(new Operation.Names(prefix, limit)),
                    (before, answer) -> Stream.concat(before.stream(), Stream.of((ListAnswer) answer))
                            .toList());
        }
        return all.thenApply(answers -> merge(answers, limit));
    }

    /** Joins the names of all groups. Without the answer of one of them, there is none. */
    private static ListAnswer merge(List<ListAnswer> answers, int limit) {
        List<ListAnswer.Names> names = new ArrayList<>();
        for (ListAnswer answer : answers) {
            if (!(answer instanceof ListAnswer.Names part)) {
                return answer;
            }
            names.add(part);
        }
        return ListAnswer.Names.merge(names, limit);
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
                new NodeStatus.Server(
                        server.clusterId(), "cluster", server.uptime(), null, Persistence.ALL, List.of()));
    }

    @Override
    public void close() {
        closed = true;
        server.disconnected(this);
    }
}
