package dev.holdfast.redis.live;

import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAutoClaimArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;

/**
 * A source that delivers each message at least once: a stream of Redis, read by a group of consumers. A message without an acknowledgement for a while is
 * delivered to another worker. One connection, for one thread.
 */
final class MessageStream implements AutoCloseable {

    /** A message without an acknowledgement for this long is delivered again: soon, so that two workers have one delivery at the same time. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private static final Duration BLOCK = Duration.ofMillis(100);
    private static final String STREAM = "messages";
    private static final String GROUP = "workers";
    private static final String FIELD = "name";
    private static final XReadArgs.StreamOffset<String> NEW = XReadArgs.StreamOffset.lastConsumed(STREAM);

    /** One step, so that what is left in the stream is what is not acknowledged, also if a worker is killed here. */
    private static final String ACKNOWLEDGE =
            "redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) return redis.call('XDEL', KEYS[1], ARGV[2])";

    /** A message on its way; a duplicate has an id of its own and the same message. */
    record Delivery(String id, String message) {}

    private final StatefulRedisConnection<String, String> connection;
    private final RedisCommands<String, String> commands;

    MessageStream(RedisClient server) {
        connection = server.connect();
        commands = connection.sync();
    }

    void send(List<String> messages) {
        commands.xgroupCreate(XReadArgs.StreamOffset.from(STREAM, "0"), GROUP, XGroupCreateArgs.Builder.mkstream());
        for (int from = 0; from < messages.size(); from += 1_000) {
            List<String> some = messages.subList(from, Math.min(from + 1_000, messages.size()));
            commands.eval(
                    "for _, message in ipairs(ARGV) do redis.call('XADD', KEYS[1], '*', '" + FIELD + "', message) end",
                    ScriptOutputType.STATUS,
                    new String[] {STREAM},
                    some.toArray(String[]::new));
        }
    }

    /** Returns a message that another worker has left, or else a new one; nothing if there is none for a moment. */
    @SuppressWarnings("unchecked") // the array that the driver's varargs make
    List<Delivery> next(String consumer, int count) {
        Consumer<String> me = Consumer.from(GROUP, consumer);
        List<StreamMessage<String, String>> found = commands.xautoclaim(
                        STREAM,
                        new XAutoClaimArgs<String>()
                                .consumer(me)
                                .minIdleTime(PATIENCE)
                                .startId("0")
                                .count(count))
                .getMessages();
        if (found.isEmpty()) {
            found = commands.xreadgroup(me, XReadArgs.Builder.count(count).block(BLOCK), NEW);
        }
        return found.stream()
                .map(entry -> new Delivery(entry.getId(), entry.getBody().get(FIELD)))
                .toList();
    }

    void acknowledge(Delivery delivery) {
        commands.eval(ACKNOWLEDGE, ScriptOutputType.INTEGER, new String[] {STREAM}, GROUP, delivery.id());
    }

    /** How many deliveries are not acknowledged. */
    long open() {
        return commands.xlen(STREAM);
    }

    @Override
    public void close() {
        connection.close();
    }
}
