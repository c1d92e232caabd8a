package dev.holdfast.redis;

import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.Push;
import dev.holdfast.node.ServerMemory;
import dev.holdfast.redis.connection.Handshake;
import dev.holdfast.redis.connection.Link;
import dev.holdfast.redis.connection.Reconnector;
import dev.holdfast.redis.connection.RedisAddress;
import dev.holdfast.redis.connection.ServerFacts;
import dev.holdfast.redis.connection.ServerProblem;
import dev.holdfast.redis.memory.ServerWatch;
import dev.holdfast.redis.script.Printable;
import dev.holdfast.redis.script.PushMessage;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node's server: whether there is a connection, which server is at its other end, and whether its votes count. It notifies
 * the listener of changes. Thread-safe.
 */
final class ServerState implements Reconnector.Owner, ServerWatch.Listener {

    private static final System.Logger LOG = System.getLogger(ServerState.class.getName());
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RedisAddress address;
    private final NodeContext context;
    private final ServerMemory memory;
    private final AtomicBoolean badPushSeen = new AtomicBoolean();

    private volatile @Nullable Up up;
    private volatile ServerProblem problem = new ServerProblem("not connected yet", true, false);
    private volatile String lastReason = "";
    private volatile List<String> lastWarnings = List.of();
    private @Nullable ServerWatch watch; // the last one; the next connection continues from its readings
    private @Nullable String watchedRunId;
    private boolean closed;
    private @Nullable Timer quarantineEnd;
    private long quarantineEndNanos;

    /** A usable connection, and the facts about the server at its other end. */
    record Up(Link link, ServerFacts facts, ServerWatch watch) {}

    ServerState(RedisAddress address, NodeContext context, ServerMemory memory) {
        this.address = address;
        this.context = context;
        this.memory = memory;
    }

    /** Returns the usable connection; null while there is none. */
    @Nullable
    Up up() {
        return up;
    }

    /** Returns the reason why there is no connection, or why there was none the last time. */
    ServerProblem problem() {
        return problem;
    }

    /** Returns in how many ms the server's votes count for requests of this ttl; 0 if they count now. The listener is notified at that time. */
    long quarantineMillis(long ttlMillis) {
        long remaining = memory.remainingMillis(ttlMillis);
        if (remaining > 0) {
            lookWhenQuarantineEnds(remaining);
        }
        return remaining;
    }

    /** Returns the lower bound of the fences of this run of the server, for requests of this ttl. */
    long fenceBase(Up at, long ttlMillis) {
        long counted = memory.countedFromMillis(at.facts.run().startedMillis(), ttlMillis);
        return FenceFromTime.ofRun(Math.max(counted, at.facts.run().askedSinceMillis()));
    }

    @Override
    public void pushed(String message) {
        if (message.isEmpty()) {
            return; // the empty push of the handshake
        }
        PushMessage.parse(message).ifPresentOrElse(this::pass, () -> {
            if (badPushSeen.compareAndSet(false, true)) {
                LOG.log(Level.DEBUG, address + " sent a push of an unknown form: " + Printable.shortened(message, 80));
            }
        });
    }

    private void pass(Push push) {
        Up now = up;
        if (now != null) {
            now.link.aloneLocks().markContended(push.resource());
            context.listener().pushed(push);
        }
    }

    @Override
    public CompletionStage<ServerFacts> greet(Link link) {
        return new Handshake(link, address, PushMessage.CHANNEL + context.client())
                .greet()
                .thenCompose(facts -> {
                    ServerFacts.Run run = facts.run();
                    memory.connected(run.id(), run.ageMillis(), run.wasReplica());
                    return memory.isWatched()
                            ? newWatch(link, facts).look().thenApply(looked -> facts)
                            : CompletableFuture.completedFuture(facts);
                });
    }

    /** Creates a watch. A machine may freeze while its connection breaks, so the watch keeps comparing the clock of the same run. */
    private synchronized ServerWatch newWatch(Link link, ServerFacts facts) {
        String runId = facts.run().id();
        boolean sameRun = runId != null && runId.equals(watchedRunId);
        ServerWatch made =
                new ServerWatch(sameRun ? watch : null, address.name(), link, context.timing(), memory, this);
        watch = made;
        watchedRunId = runId;
        return made;
    }

    @Override
    public void up(Link link, ServerFacts facts) {
        synchronized (this) {
            if (closed || !link.isOpen()) {
                return;
            }
            context.listener().identified(facts.serverId()); // before this connection carries any request
            link.onMissingRight(right -> LOG.log(Level.WARNING, address + ": " + right));
            ServerWatch made = newWatch(link, facts);
            up = new Up(link, facts, made);
            made.goOn();
        }
        lastReason = "";
        if (!facts.warnings().equals(lastWarnings)) {
            lastWarnings = facts.warnings();
            facts.warnings().forEach(warning -> LOG.log(Level.WARNING, address + ": " + warning));
        }
        quarantineMillis(context.times().ttlMillis());
        context.listener().available(facts.serverId());
    }

    @Override
    public void down(ServerProblem why) {
        synchronized (this) {
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

    @Override
    public CompletionStage<Boolean> isOwn(long micros, Moment since) {
        return context.listener().clockStepped(micros, since);
    }

    /** Notifies the listener, since waiters should retry as soon as the votes count. */
    @Override
    public void quarantineChanged() {
        Up now = up;
        if (now != null) {
            context.listener().available(now.facts.serverId());
        }
    }

    /** Schedules a look for the end of the quarantine: the votes count only if the server has kept its state until then. */
    private synchronized void lookWhenQuarantineEnds(long remaining) {
        long endNanos = context.timing().ticker().nanos() + remaining * NANOS_PER_MILLI;
        if (closed || (quarantineEnd != null && quarantineEndNanos - endNanos <= NANOS_PER_MILLI)) {
            return;
        }
        if (quarantineEnd != null) {
            quarantineEnd.cancel(); // this timer was set for a longer ttl
        }
        quarantineEndNanos = endNanos;
        quarantineEnd =
                context.timing().scheduler().schedule(remaining * NANOS_PER_MILLI, this::quarantineMayHaveEnded);
    }

    private void quarantineMayHaveEnded() {
        synchronized (this) {
            quarantineEnd = null;
        }
        Up now = up;
        if (now != null) {
            now.watch.look().thenRun(this::quarantineChanged);
        }
    }

    /** Closes the state; returns true the first time. */
    synchronized boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        problem = new ServerProblem("closed", true, false);
        leave();
        return true;
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
}
