package dev.holdfast.redis.connection;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sends what many threads ask at the same time as one: what has come since the event loop last looked is one write.
 * Lettuce's way is a task, a promise, a buffer and a flush for each command. Commands go out in the order in which they were dispatched.
 */
final class ServerConnection extends StatefulRedisPubSubConnectionImpl<String, String> {

    /** Of very many the server begins with the first while the others are still being written. */
    private static final int MOST_AT_ONCE = 64;

    /** Those who were answered first may have asked anew before the last of very many is told: they don't wait for that (docs/decisions/0027). */
    private static final int ANSWERS_BETWEEN_LOOKS = 16;

    /** The line: the last that came, which knows the one before it. */
    private final AtomicReference<@Nullable QueuedCommand> last = new AtomicReference<>();

    private volatile @Nullable Channel channel;
    private int answersSinceLook; // by the event loop

    ServerConnection(
            PubSubEndpoint<String, String> endpoint,
            RedisChannelWriter writer,
            RedisCodec<String, String> codec,
            Duration timeout) {
        super(endpoint, writer, codec, timeout);
    }

    /** Called once, before anything is dispatched. */
    void useChannel(Channel active) {
        channel = active;
    }

    /** Runs a task once what had come has been read. */
    void afterReading(Runnable task) {
        Channel from = channel;
        if (from == null) {
            task.run();
        } else {
            EventLoops.afterReading(from.eventLoop(), task);
        }
    }

    /** Commands that can't stand in line go out at once. */
    @Override
    public <T> RedisCommand<String, String, T> dispatch(RedisCommand<String, String, T> command) {
        Channel to = channel;
        if (!(command instanceof QueuedCommand outgoing) || to == null) {
            return super.dispatch(command);
        }
        if (!isOpen()) {
            command.completeExceptionally(new RedisException("Connection is closed"));
            return command;
        }
        QueuedCommand before;
        do {
            before = last.get();
            outgoing.setNeighbour(before);
        } while (!last.compareAndSet(before, outgoing));
        if (before == null) {
            try {
                to.eventLoop().execute(() -> sendAll(to));
            } catch (RejectedExecutionException e) { // all of Lettuce has been shut down
                failAll(e);
            }
        }
        return command;
    }

    /** By the event loop, after each answer. */
    void answered() {
        Channel to = channel;
        if (++answersSinceLook >= ANSWERS_BETWEEN_LOOKS && to != null) {
            answersSinceLook = 0;
            sendAll(to);
        }
    }

    private void failAll(Throwable cause) {
        QueuedCommand first = takeAll();
        while (first != null) {
            QueuedCommand next = first.neighbour();
            first.completeExceptionally(cause);
            first = next;
        }
    }

    private void sendAll(Channel to) {
        QueuedCommand first = takeAll();
        while (first != null) {
            List<QueuedCommand> batch = new ArrayList<>();
            while (first != null && batch.size() < MOST_AT_ONCE) {
                QueuedCommand next = first.neighbour();
                first.setNeighbour(null);
                batch.add(first);
                first = next;
            }
            to.writeAndFlush(batch).addListener(written -> {
                Throwable cause = written.cause();
                if (cause != null) {
                    batch.forEach(command -> command.completeExceptionally(cause));
                }
            });
        }
    }

    /** The line turned round: the first that came, which knows the next. */
    private @Nullable QueuedCommand takeAll() {
        if (last.get() == null) {
            return null;
        }
        QueuedCommand first = null;
        QueuedCommand command = last.getAndSet(null);
        while (command != null) {
            QueuedCommand before = command.neighbour();
            command.setNeighbour(first);
            first = command;
            command = before;
        }
        return first;
    }
}
