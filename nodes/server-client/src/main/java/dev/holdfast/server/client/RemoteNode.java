package dev.holdfast.server.client;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.Quarantine;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A client's view of one Holdfast server. Thread-safe; no call blocks.
 *
 * <p>Requests go out on the one connection in the order of the calls. Without a connection, each request completes with {@link Unavailable} at once. When the
 * connection ends, the requests under way also complete with it, as possibly executed. Answers and pushes arrive on the threads of Java's HTTP client.
 */
final class RemoteNode implements LockNode {

    private final String name;
    private final NodeContext context;
    private final RemoteSession session;

    /**
     * Creates a view of a server.
     *
     * @param oneOfSeveral whether the server must belong to a cluster, since it is one of several servers that are one node
     */
    RemoteNode(RemoteAddress address, NodeContext context, boolean oneOfSeveral) {
        this.name = address.name();
        this.context = context;
        this.session = new RemoteSession(context, new RemoteSockets(address, context.options()), oneOfSeveral);
    }

    /** Starts to connect. */
    RemoteNode start() {
        session.start();
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LockGroups groups() {
        RemoteSession.Up up = session.up();
        return up == null ? LockGroups.NONE : up.groups();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        return Quarantine.ask(request, session.quarantineMillis(request.ttlMillis()), this::send);
    }

    private CompletionStage<AcquireAnswer> send(AcquireRequest request) {
        RemoteSession.Up up = session.up();
        boolean isNew = request.floor() == 0; // the number of leases bounds the extensions and releases
        String overload = up == null || !isNew ? null : up.link().overload();
        return overload != null
                ? CompletableFuture.completedFuture(new Unavailable(overload, false))
                : ask(
                        new NodeRequest.Acquire(request),
                        message -> ((NodeMessage.Acquired) message).answer(),
                        unavailable -> unavailable);
    }

    @Override
    public long quarantineMillis(long ttlMillis) {
        return session.quarantineMillis(ttlMillis);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        return ask(
                new NodeRequest.Release(request),
                message -> ((NodeMessage.Released) message).answer(),
                unavailable -> unavailable);
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return ask(
                new NodeRequest.Inspect(resource),
                message -> ((NodeMessage.Inspected) message).answer(),
                unavailable -> unavailable);
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        return ask(
                new NodeRequest.Names(prefix, limit),
                message -> ((NodeMessage.Listed) message).answer(),
                unavailable -> unavailable);
    }

    private <A> CompletionStage<A> ask(
            NodeRequest request, Function<NodeMessage, A> reading, Function<Unavailable, A> failing) {
        RemoteSession.Up up = session.up();
        return up == null || !up.link().isOpen()
                ? CompletableFuture.completedFuture(
                        failing.apply(new Unavailable("not connected: " + session.problem(), false)))
                : up.link().ask(request, reading, failing);
    }

    @Override
    public Persistence persistence() {
        RemoteSession.Up up = session.up();
        return up == null ? Persistence.UNKNOWN : up.hello().persistence();
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        RemoteSession.Up up = session.up();
        if (up == null) {
            return CompletableFuture.completedFuture(NodeStatus.unreachable(
                    name(), session.isRefused() ? NodeStatus.State.REFUSED : NodeStatus.State.DOWN, session.problem()));
        }
        long sent = context.timing().ticker().nanos();
        return up.link()
                .ask(
                        new NodeRequest.Status(),
                        message -> status(up, sent, (NodeMessage.Status) message),
                        unavailable -> NodeStatus.unreachable(name(), NodeStatus.State.DOWN, unavailable.reason()));
    }

    private NodeStatus status(RemoteSession.Up up, long sentNanos, NodeMessage.Status told) {
        long roundTrip = context.timing().ticker().nanos() - sentNanos;
        long quarantine = Math.max(session.quarantineMillis(context.times().ttlMillis()), told.quarantineMillis());
        return new NodeStatus(
                name(),
                quarantine > 0 ? NodeStatus.State.QUARANTINED : NodeStatus.State.UP,
                quarantine > 0
                        ? "may have lost its state; its votes count in "
                                + DurationText.of(Duration.ofMillis(quarantine))
                        : "",
                Duration.ofNanos(roundTrip),
                Duration.ofMillis(quarantine),
                new NodeStatus.Server(
                        up.hello().serverId(),
                        up.hello().version(),
                        told.uptimeMillis() < 0 ? null : Duration.ofMillis(told.uptimeMillis()),
                        Duration.ofMillis(told.wallMillis()
                                + roundTrip / 2_000_000
                                - context.timing().ticker().wallMillis()),
                        up.hello().persistence(),
                        told.warnings()));
    }

    /** Runs the task on a worker. Java's HTTP client reads on its own threads; while a worker gets no processor time, they get none either. */
    @Override
    public void afterReading(Runnable task) {
        context.timing().scheduler().execute(task);
    }

    @Override
    public void close() {
        session.close();
    }
}
