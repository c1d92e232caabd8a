package dev.holdfast.redis.connection;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection that writes the script commands of many threads together: the event loop drains a queue of all commands that have arrived since its last
 * write. Lettuce itself needs a task, a promise, a buffer and a flush for each command. Commands go out in the order in which they were dispatched.
 * Thread-safe.
 */
final class ServerConnection extends StatefulRedisPubSubConnectionImpl<String, String> {

    private static final int FEW = 16; // so many commands always go out in one write, since each write has its cost
    private static final int MANY = 64; // the largest number of commands in one write

    private final Queue<ScriptCommand<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean(); // whether the event loop is going to drain the queue

    private volatile @Nullable Channel channel;

    ServerConnection(
            PubSubEndpoint<String, String> endpoint,
            RedisChannelWriter writer,
            RedisCodec<String, String> codec,
            Duration timeout) {
        super(endpoint, writer, codec, timeout);
    }

    /**
     * Returns null, so this connection has no blocking commands. Lettuce would create them now, for the first connection as a proxy of a thousand methods,
     * which takes longer than connecting.
     */
    @Override
    @SuppressWarnings("NullAway")
    protected RedisPubSubCommands<String, String> newRedisSyncCommandsImpl() {
        return null;
    }

    /** Returns null, so this connection has no reactive commands. */
    @Override
    @SuppressWarnings("NullAway")
    protected RedisPubSubReactiveCommandsImpl<String, String> newRedisReactiveCommandsImpl() {
        return null;
    }

    /** Sets the channel; called once, before it connects. */
    void useChannel(Channel registered) {
        channel = registered;
    }

    /** Closes the connection before it is usable. Lettuce itself closes only a channel that has connected, and with TLS only after the handshake. */
    void abandon() {
        closeAsync();
        Channel unfinished = channel;
        if (unfinished != null) {
            unfinished.close();
        }
    }

    /** Runs a task once the event loop has read what had arrived. */
    void afterReading(Runnable task) {
        Channel from = channel;
        if (from == null) {
            task.run();
        } else {
            EventLoops.afterReading(from.eventLoop(), task);
        }
    }

    /** Queues a script command; other commands take Lettuce's own way. */
    @Override
    public <T> RedisCommand<String, String, T> dispatch(RedisCommand<String, String, T> command) {
        Channel to = channel;
        if (!(command instanceof ScriptCommand<?> script) || to == null) {
            return super.dispatch(command);
        }
        if (!isOpen()) {
            command.completeExceptionally(new RedisException("Connection is closed"));
            return command;
        }
        waiting.add(script);
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            try {
                to.eventLoop().execute(() -> writeAll(to));
            } catch (RejectedExecutionException e) { // Lettuce has been shut down
                scheduled.set(false);
                nextBatch(Integer.MAX_VALUE).forEach(rejected -> rejected.completeExceptionally(e));
            }
        }
        return command;
    }

    private void writeAll(Channel to) {
        scheduled.set(false); // first, so that a command that this run misses schedules the next run
        int most = mostAtOnce();
        for (List<ScriptCommand<?>> batch = nextBatch(most); !batch.isEmpty(); batch = nextBatch(most)) {
            List<ScriptCommand<?>> written = batch;
            to.writeAndFlush(written).addListener(write -> {
                Throwable cause = write.cause();
                if (cause != null) {
                    written.forEach(command -> command.completeExceptionally(cause));
                }
            });
        }
    }

    /**
     * Returns the largest number of commands in one write: about half of them. Redis answers a write as a whole. If all commands were in one write,
     * the server would be idle while the client handles the answers, and the client while the server works.
     */
    private int mostAtOnce() {
        return Math.min(MANY, Math.max(FEW, waiting.size() / 2));
    }

    private List<ScriptCommand<?>> nextBatch(int most) {
        List<ScriptCommand<?>> batch = new ArrayList<>();
        for (ScriptCommand<?> next = waiting.poll(); next != null; next = batch.size() < most ? waiting.poll() : null) {
            batch.add(next);
        }
        return batch;
    }
}
