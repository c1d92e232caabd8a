package dev.holdfast.redis;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeStatus;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * A client's view of one Redis or Valkey server, or of a cluster that counts as one node. Thread-safe; no call blocks.
 *
 * <p>Requests about a lock go out on the one connection in the order of the calls; one that has to be {@linkplain AloneLocks asked again} goes out later, but never
 * after the RELEASE of its owner. While there is none they are answered {@link Unavailable} at
 * once; those under way when it ends are too, as maybe executed. Answers and pushes come on Lettuce's event loops.
 */
final class RedisNode implements LockNode {

    private final RedisAddress address;
    private final String name;
    private final NodeContext context;
    private final Session session;
    private final Keeper keeper;
    private final UnaryOperator<AcquireAnswer> counted = this::counted;

    RedisNode(RedisAddress address, NodeContext context, Connector connector) {
        this.address = address;
        this.name = address.name(); // put together once: observers are told it with every request
        this.context = context;
        ServerMemory memory = new ServerMemory(
                context.timing().ticker(),
                address.kind() == RedisAddress.Kind.CLUSTER ? () -> 0 : context.restartQuarantineMillis(),
                () -> Long.toHexString(context.timing().random().nextLong()));
        this.session = new Session(address, context, memory);
        this.keeper = new Keeper(
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
        Session.Up up = session.up();
        if (up == null) {
            return CompletableFuture.completedFuture(notConnected());
        }
        up.watch().keepWatchFor(request.ttlMillis());
        long quarantine = session.quarantineMillis();
        if (quarantine > 0) {
            return CompletableFuture.completedFuture(new AcquireAnswer.Quarantined(quarantine));
        }
        Link link = up.link();
        if (!link.isOpen()) {
            return CompletableFuture.completedFuture(notConnected());
        }
        AcquireCall call = new AcquireCall(request, context.fenceRetentionMillis(), session.fenceBase(up));
        return call.isExtension()
                ? link.extend(new ScriptCommand<>(link, call, counted))
                : link.send(new ScriptCommand<>(link, link.aloneLocks().asSent(call), counted));
    }

    /**
     * A vote of a server that has just turned out to have lost others' does not count. It is there all the same, so this is not the
     * answer of a node that was not asked: whoever asked gives it back.
     */
    private AcquireAnswer counted(AcquireAnswer answer) {
        long quarantine = answer instanceof Unavailable ? 0 : session.quarantineMillis();
        return quarantine > 0
                ? new Unavailable("lost its memory meanwhile; its votes count in " + quarantine + " ms", true)
                : answer;
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        Session.Up up = session.up();
        if (up == null || !up.link().isOpen()) {
            return CompletableFuture.completedFuture(notConnected());
        }
        Link link = up.link();
        ReleaseCall call = new ReleaseCall(request, context.fenceRetentionMillis(), session.fenceBase(up));
        return link.send(new ScriptCommand<>(link, link.aloneLocks().asSent(call), answer -> answer));
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        Session.Up up = session.up();
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
        Session.Up up = session.up();
        if (up == null) {
            return CompletableFuture.completedFuture(notConnected());
        }
        return new KeyScan(up.link(), prefix, limit)
                .names()
                .exceptionally(thrown -> ServerProblem.of(thrown).unavailable());
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        Session.Up up = session.up();
        if (up == null) {
            ServerProblem why = session.problem();
            NodeStatus.State state = why.setup() ? NodeStatus.State.REFUSED : NodeStatus.State.DOWN;
            return CompletableFuture.completedFuture(NodeStatus.unreachable(name(), state, why.reason()));
        }
        return new StatusQuestion(address, up, context.timing(), session.quarantineMillis())
                .ask()
                .exceptionally(thrown -> NodeStatus.unreachable(
                        name(), NodeStatus.State.DOWN, ServerProblem.of(thrown).reason()));
    }

    @Override
    public void close() {
        if (session.close()) {
            keeper.close();
        }
    }
}
