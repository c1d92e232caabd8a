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
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client's view of one Redis or Valkey server, or of a cluster that counts as one node. Thread-safe; no call blocks.
 *
 * <p>Requests go out on the one connection in the order of the calls. While there is none they are answered {@link Unavailable} at
 * once; those under way when it ends are too, as maybe executed. Answers and pushes come on Lettuce's event loops.
 */
final class RedisNode implements LockNode {

    private static final System.Logger LOG = System.getLogger(RedisNode.class.getName());
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RedisAddress address;
    private final NodeContext context;
    private final Keeper keeper;
    private final ServerMemory memory;
    private final AtomicBoolean badPushSeen = new AtomicBoolean();

    private volatile @Nullable Up up;
    private volatile ServerProblem problem = new ServerProblem("not connected yet", true, false);
    private boolean closed;
    private @Nullable Timer quarantineEnd;

    /** A connection that can be used, and what is known of who is at its other end. */
    record Up(Link link, ServerFacts facts, Watch watch) {}

    RedisNode(RedisAddress address, NodeContext context, Connector connector) {
        this.address = address;
        this.context = context;
        this.memory = new ServerMemory(
                context.timing().ticker(),
                address.kind() == RedisAddress.Kind.CLUSTER ? () -> 0 : context.restartQuarantineMillis(),
                () -> Long.toHexString(context.timing().random().nextLong()));
        long connectNanos = context.options().connectTimeout().toNanos();
        this.keeper = new Keeper(connector, context.timing(), connectNanos, new Upkeep());
    }

    /** Begins to connect. */
    RedisNode start() {
        keeper.start();
        return this;
    }

    @Override
    public String name() {
        return address.name();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        Up now = up;
        if (now != null) {
            now.watch.keepWatchFor(request.ttlMillis());
        }
        long quarantine = memory.remainingMillis();
        if (now != null && quarantine > 0) {
            return CompletableFuture.completedFuture(new AcquireAnswer.Quarantined(quarantine));
        }
        return call(new AcquireCall(request, context.fenceRetentionMillis())).thenApply(this::counted);
    }

    /** A vote of a server that has just turned out to have lost others' does not count. */
    private AcquireAnswer counted(AcquireAnswer answer) {
        long quarantine = answer instanceof Unavailable ? 0 : memory.remainingMillis();
        return quarantine > 0 ? new AcquireAnswer.Quarantined(quarantine) : answer;
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        return call(new ReleaseCall(request, context.fenceRetentionMillis()));
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return call(new InspectCall(resource));
    }

    private <A> CompletionStage<A> call(ScriptCall<A> call) {
        Up now = up;
        if (now == null || !now.link.isOpen()) {
            return CompletableFuture.completedFuture(call.unavailable(notConnected()));
        }
        return now.link
                .eval(call.script(), call.keys(), call.args())
                .thenApply(answer -> call.answer(new Reply(answer)))
                .exceptionally(
                        thrown -> call.unavailable(ServerProblem.of(thrown).unavailable()));
    }

    private Unavailable notConnected() {
        return new Unavailable("not connected: " + problem.reason(), false);
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        Up now = up;
        if (now == null) {
            return CompletableFuture.completedFuture(notConnected());
        }
        return new KeyScan(now.link, prefix, limit)
                .names()
                .exceptionally(thrown -> ServerProblem.of(thrown).unavailable());
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        Up now = up;
        if (now == null) {
            ServerProblem why = problem;
            NodeStatus.State state = why.setup() ? NodeStatus.State.REFUSED : NodeStatus.State.DOWN;
            return CompletableFuture.completedFuture(NodeStatus.unreachable(name(), state, why.reason()));
        }
        return new StatusQuestion(address, now, context.timing(), memory)
                .ask()
                .exceptionally(thrown -> NodeStatus.unreachable(
                        name(), NodeStatus.State.DOWN, ServerProblem.of(thrown).reason()));
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            problem = new ServerProblem("closed", true, false);
            leave();
        }
        keeper.close();
    }

    private void leave() {
        Up last = up;
        up = null;
        if (last != null) {
            last.watch.stop();
        }
        if (quarantineEnd != null) {
            quarantineEnd.cancel();
            quarantineEnd = null;
        }
    }

    /** Waiters should ask again as soon as the votes count. */
    private void quarantineChanged() {
        Up now = up;
        if (now != null && memory.remainingMillis() == 0) {
            context.listener().available(now.facts.serverId());
        } else {
            lookWhenQuarantineEnds();
        }
    }

    /** Looks once more then: the votes count only if the memory was kept meanwhile. */
    private synchronized void lookWhenQuarantineEnds() {
        long remaining = memory.remainingMillis();
        if (closed || remaining == 0) {
            return;
        }
        if (quarantineEnd != null) {
            quarantineEnd.cancel();
        }
        quarantineEnd = context.timing().scheduler().schedule(remaining * NANOS_PER_MILLI, () -> {
            Up now = up;
            if (now != null) {
                now.watch.look().thenRun(this::quarantineChanged);
            }
        });
    }

    /** What the keeper of the connection asks for and tells. */
    private final class Upkeep implements Keeper.Owner {

        private @Nullable String lastReason;
        private @Nullable List<String> lastWarnings;

        @Override
        public void pushed(String message) {
            PushMessage.parse(message).ifPresentOrElse(push -> push.deliverTo(context.listener()), () -> {
                if (badPushSeen.compareAndSet(false, true)) {
                    LOG.log(
                            Level.DEBUG,
                            name() + " pushed something that is no push: " + Printable.shortened(message, 80));
                }
            });
        }

        @Override
        public CompletionStage<ServerFacts> greet(Link link) {
            return new Handshake(link, address, PushMessage.CHANNEL + context.client())
                    .greet()
                    .thenCompose(facts -> {
                        memory.connected(facts.runId() == null ? unknownRun() : facts.runId(), facts.uptimeMillis());
                        return memory.isWatched()
                                ? newWatch(link).look().thenApply(looked -> facts)
                                : CompletableFuture.completedFuture(facts);
                    });
        }

        /** Without a run id every connection may be to a server that has just restarted. */
        private String unknownRun() {
            return "unknown-" + Long.toHexString(context.timing().random().nextLong());
        }

        private Watch newWatch(Link link) {
            return new Watch(name(), link, context.timing(), memory, RedisNode.this::quarantineChanged);
        }

        @Override
        public void up(Link link, ServerFacts facts) {
            synchronized (RedisNode.this) {
                if (closed || !link.isOpen()) {
                    return;
                }
                up = new Up(link, facts, newWatch(link));
            }
            lastReason = null;
            if (!facts.warnings().equals(lastWarnings)) {
                lastWarnings = facts.warnings();
                facts.warnings().forEach(warning -> LOG.log(Level.WARNING, name() + ": " + warning));
            }
            lookWhenQuarantineEnds();
            context.listener().available(facts.serverId());
        }

        @Override
        public void down(ServerProblem why) {
            synchronized (RedisNode.this) {
                if (closed) {
                    return;
                }
                problem = why;
                leave();
            }
            if (why.reason().equals(lastReason)) {
                return;
            }
            lastReason = why.reason();
            if (why.setup()) {
                context.listener().refused(why.reason());
            } else {
                context.listener().unavailable(why.reason());
            }
        }
    }
}
