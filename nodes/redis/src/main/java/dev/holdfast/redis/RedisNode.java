package dev.holdfast.redis;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.Quarantine;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ServerMemory;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.connection.Connector;
import dev.holdfast.redis.connection.Link;
import dev.holdfast.redis.connection.Reconnector;
import dev.holdfast.redis.connection.RedisAddress;
import dev.holdfast.redis.connection.ScriptCommand;
import dev.holdfast.redis.connection.ServerProblem;
import dev.holdfast.redis.script.AcquireCall;
import dev.holdfast.redis.script.AloneLocks;
import dev.holdfast.redis.script.InspectCall;
import dev.holdfast.redis.script.ReleaseCall;
import dev.holdfast.time.Moment;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A client's view of one Redis or Valkey server, or of a cluster that counts as one node. Thread-safe; no call blocks.
 *
 * <p>Requests about a lock go out on the one connection in the order of the calls. A request that has to be {@linkplain AloneLocks re-sent}
 * goes out later, but never after the RELEASE of its owner. While there is no connection, the node answers requests with {@link
 * Unavailable} at once. When a connection ends, requests under way on it get {@link Unavailable} too, as maybe executed. Answers and pushes
 * arrive on Lettuce's event loops.
 */
final class RedisNode implements LockNode {

    private final RedisAddress address;
    private final String name;
    private final NodeContext context;
    private final ServerState session;
    private final Reconnector keeper;
    private final boolean followsClock;

    RedisNode(RedisAddress address, NodeContext context, Connector connector) {
        this.address = address;
        this.name = address.name(); // built once: every request passes it to the observers
        this.context = context;
        this.followsClock = context.nodes() == 1;
        ServerMemory memory = new ServerMemory(
                context.timing().ticker(),
                context.times().quarantineMillis(),
                context.times().ttlMillis(),
                () -> Long.toHexString(context.timing().random().nextLong()));
        this.session = new ServerState(address, context, memory);
        this.keeper = new Reconnector(
                connector, context.timing(), context.options().connectTimeout().toNanos(), session);
    }

    /** Begins to connect. */
    RedisNode start() {
        keeper.start();
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        ServerState.Up up = session.up();
        if (up == null) {
            return CompletableFuture.completedFuture(notConnected());
        }
        up.watch().keepWatchFor(request.ttlMillis());
        return Quarantine.ask(request, session.quarantineMillis(request.ttlMillis()), sent -> send(sent, up));
    }

    private CompletionStage<AcquireAnswer> send(AcquireRequest request, ServerState.Up up) {
        Link link = up.link();
        if (!link.isOpen()) {
            return CompletableFuture.completedFuture(notConnected());
        }
        AcquireCall call =
                new AcquireCall(request, context.times().fenceRetentionMillis(), fenceBase(up, request.ttlMillis()));
        boolean isNew = request.floor() == 0; // the number of leases bounds the releases and the extensions
        String overload = isNew ? link.overload() : null;
        if (overload != null) {
            return CompletableFuture.completedFuture(new Unavailable(overload, false));
        }
        return call.isExtension()
                ? link.extend(new ScriptCommand<>(link, call, answer -> counted(answer, request.ttlMillis())))
                : link.send(new ScriptCommand<>(link, link.aloneLocks().asSent(call), answer -> answer));
    }

    /**
     * Returns the base of fences. The fences of a sole node follow its clock, so that they rise even if the server loses state without this
     * client's knowledge.
     */
    private long fenceBase(ServerState.Up up, long ttlMillis) {
        return followsClock ? AcquireCall.BASE_OF_CLOCK : session.fenceBase(up, ttlMillis);
    }

    /**
     * Returns the answer, unless the server has just turned out to have lost votes: then a healed vote does not count. The next extension
     * is sent without healing.
     */
    private AcquireAnswer counted(AcquireAnswer answer, long ttlMillis) {
        long quarantine = answer instanceof Unavailable ? 0 : session.quarantineMillis(ttlMillis);
        return quarantine > 0
                ? new Unavailable(
                        "has lost state; its votes count in " + DurationText.of(Duration.ofMillis(quarantine)), true)
                : answer;
    }

    @Override
    public long quarantineMillis(long ttlMillis) {
        return session.up() == null ? 0 : session.quarantineMillis(ttlMillis);
    }

    @Override
    public CompletionStage<OptionalLong> clockGainMicros(Moment since) {
        ServerState.Up up = session.up();
        return up == null
                ? CompletableFuture.completedFuture(OptionalLong.empty())
                : up.watch().clockGainMicros(since);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        ServerState.Up up = session.up();
        if (up == null || !up.link().isOpen()) {
            return CompletableFuture.completedFuture(notConnected());
        }
        Link link = up.link();
        ReleaseCall call = new ReleaseCall(
                request,
                context.times().fenceRetentionMillis(),
                fenceBase(up, context.times().ttlMillis()));
        return link.send(new ScriptCommand<>(link, link.aloneLocks().asSent(call), answer -> answer));
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        ServerState.Up up = session.up();
        if (up == null || !up.link().isOpen()) {
            return CompletableFuture.completedFuture(notConnected());
        }
        return up.link().send(new ScriptCommand<>(up.link(), new InspectCall(resource), answer -> answer));
    }

    private Unavailable notConnected() {
        return new Unavailable("not connected: " + session.problem().reason(), false);
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        ServerState.Up up = session.up();
        if (up == null) {
            return CompletableFuture.completedFuture(notConnected());
        }
        return new KeyScan(up.link(), prefix, limit)
                .names()
                .exceptionally(thrown -> ServerProblem.of(thrown).unavailable());
    }

    @Override
    public Persistence persistence() {
        ServerState.Up up = session.up();
        return up == null ? Persistence.UNKNOWN : up.facts().persistence();
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        ServerState.Up up = session.up();
        if (up == null) {
            ServerProblem why = session.problem();
            NodeStatus.State state = why.setup() ? NodeStatus.State.REFUSED : NodeStatus.State.DOWN;
            return CompletableFuture.completedFuture(NodeStatus.unreachable(name(), state, why.reason()));
        }
        return new StatusQuery(
                        address,
                        up,
                        context.timing(),
                        session.quarantineMillis(context.times().ttlMillis()))
                .ask()
                .exceptionally(thrown -> NodeStatus.unreachable(
                        name(), NodeStatus.State.DOWN, ServerProblem.of(thrown).reason()));
    }

    @Override
    public void afterReading(Runnable task) {
        ServerState.Up up = session.up();
        if (up == null) {
            task.run();
        } else {
            up.link().afterReading(task);
        }
    }

    @Override
    public void close() {
        if (session.close()) {
            keeper.close();
        }
    }
}
