package dev.holdfast.redis;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sends what many threads ask at the same time as one: what has come since the event loop last looked is one write.
 * Lettuce's way is a task, a promise, a buffer and a flush for each command. Commands go out in the order in which they were dispatched.
 */
final class ServerConnection extends StatefulRedisPubSubConnectionImpl<String, String> {

    /** So that the server can begin with the first of very many, and no buffer gets large. */
    private static final int MOST_AT_ONCE = 128;

    /** The line: the last that came, which knows the one before it. */
    private final AtomicReference<@Nullable Outgoing> last = new AtomicReference<>();

    private volatile @Nullable Channel channel;

    ServerConnection(
            PubSubEndpoint<String, String> endpoint,
            RedisChannelWriter writer,
            RedisCodec<String, String> codec,
            Duration timeout) {
        super(endpoint, writer, codec, timeout);
    }

    /** Told once, before anything is dispatched. */
    void useChannel(Channel active) {
        channel = active;
    }

    /** Commands that can't stand in line go out at once. */
    @Override
    public <T> RedisCommand<String, String, T> dispatch(RedisCommand<String, String, T> command) {
        Channel to = channel;
        if (!(command instanceof Outgoing outgoing) || to == null) {
            return super.dispatch(command);
        }
        if (!isOpen()) {
            command.completeExceptionally(new RedisException("Connection is closed"));
            return command;
        }
        Outgoing before;
        do {
            before = last.get();
            outgoing.setBefore(before);
        } while (!last.compareAndSet(before, outgoing));
        if (before == null) {
            try {
                to.eventLoop().execute(() -> sendAll(to));
            } catch (RejectedExecutionException e) { // all of Lettuce has been shut down
                takeAll().forEach(waiting -> waiting.completeExceptionally(e));
            }
        }
        return command;
    }

    private void sendAll(Channel to) {
        Deque<Outgoing> line = takeAll();
        while (!line.isEmpty()) {
            List<Outgoing> batch = new ArrayList<>(Math.min(line.size(), MOST_AT_ONCE));
            while (!line.isEmpty() && batch.size() < MOST_AT_ONCE) {
                batch.add(line.pop());
            }
            to.writeAndFlush(batch).addListener(written -> {
                Throwable cause = written.cause();
                if (cause != null) {
                    batch.forEach(command -> command.completeExceptionally(cause));
                }
            });
        }
    }

    /** In the order in which they came. */
    private Deque<Outgoing> takeAll() {
        Deque<Outgoing> line = new ArrayDeque<>();
        Outgoing command = last.getAndSet(null);
        while (command != null) {
            line.push(command);
            Outgoing before = command.before();
            command.setBefore(null);
            command = before;
        }
        return line;
    }
}
