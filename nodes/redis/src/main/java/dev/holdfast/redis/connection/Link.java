package dev.holdfast.redis.connection;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.redis.script.AloneLocks;
import dev.holdfast.redis.script.LuaScript;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timing;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.net.SocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection from its first command to its end; it never reconnects. Thread-safe.
 *
 * <p>Unanswered requests fail when the connection ends. It also ends when the server has been silent for too long while an answer was due:
 * a host that vanished sends no reset.
 */
public final class Link {

    /**
     * How many requests may wait for a server that is behind. A burst may be larger: the server is behind only if it has left a request
     * unanswered for as long as it may be silent.
     */
    static final int MOST_WHILE_BEHIND = 10_000;

    /** More than the number of commands in all scripts. */
    private static final int MOST_RIGHTS = 100;

    private final LettuceConnections wires;
    private final Timing timing;
    private final long silenceNanos;
    private final Consumer<String> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicBoolean listening = new AtomicBoolean();
    private volatile boolean behind; // answers keep coming, but take longer than the allowed silence
    private final ExtensionBatches extensions = new ExtensionBatches(this);
    private final ExtensionOrder order = new ExtensionOrder();
    private final AloneLocks aloneLocks = new AloneLocks();
    private final Set<String> missingRights = ConcurrentHashMap.newKeySet();
    private volatile Consumer<String> onMissingRight = right -> {};

    /**
     * Takes over a fresh connection.
     *
     * @param silenceNanos how long an answer may be due while none arrives
     * @param onPush receives every push
     * @param onEnd receives once why the connection has ended, unless {@link #close} ended it; perhaps before this constructor returns
     */
    Link(LettuceConnections wires, Timing timing, long silenceNanos, Consumer<String> onPush, Consumer<String> onEnd) {
        this.wires = wires;
        this.timing = timing;
        this.silenceNanos = silenceNanos;
        this.onEnd = onEnd;
        wires.pushes().addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                onPush.accept(message);
            }
        });
        endWith(wires.pushes());
        if (wires.commands() != wires.pushes()) {
            endWith(wires.commands());
        }
    }

    private void endWith(StatefulConnection<String, String> connection) {
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {}

            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                end("the server closed the connection");
            }

            @Override
            public void onRedisExceptionCaught(RedisChannelHandler<?, ?> handler, Throwable cause) {
                end(ServerProblem.of(cause).reason());
            }
        });
        if (!connection.isOpen()) {
            end("the server closed the connection");
        }
    }

    public boolean isOpen() {
        return !ended.get() && wires.commands().isOpen();
    }

    /** Returns the record of uncontended locks. */
    public AloneLocks aloneLocks() {
        return aloneLocks;
    }

    /** Runs a script by its name, and by its text if the server does not know it. */
    public CompletionStage<List<Object>> eval(LuaScript script, String[] keys, String... args) {
        return eval(CommandType.EVALSHA, script.sha1(), keys, args)
                .exceptionallyCompose(thrown -> ServerProblem.unwrapped(thrown) instanceof RedisNoScriptException
                        ? eval(CommandType.EVAL, script.text(), keys, args)
                        : CompletableFuture.failedFuture(thrown));
    }

    private CompletableFuture<List<Object>> eval(CommandType type, String script, String[] keys, String[] args) {
        CommandArgs<String, String> all =
                arguments().add(script).add(keys.length).addKeys(keys).addValues(args);
        return send(new Command<>(type, new NestedMultiOutput<>(StringCodec.UTF8), all));
    }

    /** Loads a script with SCRIPT LOAD; the answer is the script's name. */
    CompletionStage<String> load(LuaScript script) {
        return send(new Command<>(
                CommandType.SCRIPT,
                new StatusOutput<>(StringCodec.UTF8),
                arguments().add("LOAD").add(script.text())));
    }

    public CompletionStage<String> info(String section) {
        return send(new Command<>(
                CommandType.INFO,
                new ValueOutput<>(StringCodec.UTF8),
                arguments().add(section)));
    }

    /** Runs a command without a key whose answer is a list, such as TIME and ROLE. */
    public CompletionStage<List<Object>> list(CommandType type, String... args) {
        return send(new Command<>(
                type, new NestedMultiOutput<>(StringCodec.UTF8), arguments().addValues(args)));
    }

    /** Scans the keys with SCAN; in a cluster, of all masters one after the other. */
    public CompletionStage<KeyScanCursor<String>> scan(ScanCursor cursor, ScanArgs args) {
        expectAnswer();
        try {
            return wires.keys().scan(cursor, args).whenComplete((found, thrown) -> answered());
        } catch (RuntimeException | Error e) {
            answered();
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns the id that distinguishes a cluster from others; null for a server. */
    @Nullable
    String clusterId() {
        return wires.clusterId();
    }

    CompletionStage<Void> subscribe(String channel) {
        return wires.pushes().async().subscribe(channel);
    }

    private static CommandArgs<String, String> arguments() {
        return new CommandArgs<>(StringCodec.UTF8);
    }

    private <T> CompletableFuture<T> send(Command<String, String, T> command) {
        AsyncCommand<String, String, T> sending = new AsyncCommand<>(command);
        sending.whenComplete((answer, thrown) -> answered());
        expectAnswer();
        dispatch(sending);
        return sending;
    }

    /** Runs a script about a lock. */
    public <A> ScriptCommand<A> send(ScriptCommand<A> command) {
        if (order.isFree()) {
            return sendNow(command);
        }
        order.send(command.resource(), false, () -> sendNow(command));
        return command;
    }

    /** Sends a command, regardless of other requests under way. */
    <A> ScriptCommand<A> sendNow(ScriptCommand<A> command) {
        expectAnswer();
        dispatch(command);
        return command;
    }

    /** Extends a lease, together with others if there are any. In a cluster it is extended alone, since their keys may be at different masters. */
    public ScriptCommand<AcquireAnswer> extend(ScriptCommand<AcquireAnswer> extension) {
        if (wires.clusterId() != null) {
            return send(extension);
        }
        expectAnswer();
        String lock = extension.resource();
        extension.thenRun(() -> order.answered(lock));
        order.send(lock, true, () -> extensions.send(extension));
        return extension;
    }

    /** Notes that an answer is due. */
    private void expectAnswer() {
        sent.incrementAndGet();
        if (!listening.get() && listening.compareAndSet(false, true)) {
            listenForSilence();
        }
    }

    /** Notes that an answer that was due has arrived, or cannot arrive. */
    void answered() {
        answered.incrementAndGet();
    }

    /** Sends a command that {@link #expectAnswer} has already counted. */
    <T> void dispatch(RedisCommand<String, String, T> command) {
        try {
            wires.commands().dispatch(command);
        } catch (RuntimeException | Error e) { // of Lettuce, or of Netty that has been shut down
            command.completeExceptionally(e);
        }
    }

    /** Runs a task once all data that had arrived has been read. */
    public void afterReading(Runnable task) {
        if (wires.commands() instanceof ServerConnection connection) {
            connection.afterReading(task);
        } else {
            SharedResources.afterReading(task);
        }
    }

    /**
     * Returns the reason why the client sends the server no new acquires, or null if it sends them. Callers that time out retry while their
     * earlier requests still wait. Without this limit the requests to a slow server would fill the memory.
     */
    @Nullable
    public String overload() {
        long unanswered = sent.get() - answered.get();
        return behind && unanswered >= MOST_WHILE_BEHIND
                ? "the server is behind: " + unanswered + " requests are unanswered, the first for more than "
                        + silenceNanos / 1_000_000 + " ms"
                : null;
    }

    /** Registers a listener that is called once for each right that the user turns out to lack. */
    public void onMissingRight(Consumer<String> listener) {
        onMissingRight = listener;
    }

    /**
     * Records that a release needed a right that the user lacks. The release reports only that its outcome is unknown, so this class keeps
     * the reason.
     */
    void lacksRight(String right) {
        if (missingRights.size() < MOST_RIGHTS && missingRights.add(right)) {
            onMissingRight.accept(right);
        }
    }

    /** Returns the rights that releases needed and the user lacks. */
    public List<String> missingRights() {
        return missingRights.stream().sorted().toList();
    }

    private void listenForSilence() {
        long before = answered.get();
        long asked = sent.get();
        RunningTimeout.start(timing, silenceNanos, this::afterReading, () -> {
            if (ended.get()) {
                return;
            }
            behind = answered.get() < asked;
            if (answered.get() == sent.get()) {
                listening.set(false);
                if (answered.get() != sent.get() && listening.compareAndSet(false, true)) {
                    listenForSilence();
                }
            } else if (answered.get() == before) {
                end("no answer for " + silenceNanos / 1_000_000 + " ms");
            } else {
                listenForSilence();
            }
        });
    }

    private void end(String reason) {
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(reason);
            wires.close();
        }
    }

    /** Ends the connection without notifying its owner; the stage completes when Lettuce has forgotten it. */
    CompletionStage<Void> close() {
        return ended.compareAndSet(false, true) ? wires.close() : CompletableFuture.completedFuture(null);
    }
}
