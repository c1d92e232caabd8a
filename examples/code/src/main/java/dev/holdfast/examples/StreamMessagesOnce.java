package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.recipe.OnceGuard;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAutoClaimArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Consumers of a Redis Stream that handle each message once. If a consumer dies before it acknowledges a message, another consumer receives it. The
 * example reads the stream with Lettuce, the driver that Holdfast itself uses; any other driver would do.
 */
public final class StreamMessagesOnce {

    /** The stream's key. */
    public static final String STREAM = "orders";

    /** The group of consumers that share the stream's messages. */
    public static final String GROUP = "shippers";

    /** The name of the field that holds a message's text. */
    public static final String TEXT = "text";

    private static final Duration BLOCK = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** The work that a message requests. */
    public interface Work {
        /** Does the work. */
        void on(Map<String, String> message);
    }

    private final Holdfast holdfast;
    private final RedisCommands<String, String> redis;
    private final Consumer<String> me;
    private final Duration patience;

    /**
     * Creates a consumer of the group. It takes over messages that another consumer has left unacknowledged for {@code patience}, which must be
     * longer than the work may take.
     */
    public StreamMessagesOnce(Holdfast holdfast, RedisCommands<String, String> redis, String name, Duration patience) {
        this.holdfast = holdfast;
        this.redis = redis;
        this.me = Consumer.from(GROUP, name);
        this.patience = patience;
    }

    /** Creates the stream and its group. */
    public static void create(RedisCommands<String, String> redis) {
        redis.xgroupCreate(StreamOffset.from(STREAM, "0"), GROUP, XGroupCreateArgs.Builder.mkstream());
    }

    /** Returns messages that other consumers left unacknowledged. If there are none, waits briefly for new messages. */
    @SuppressWarnings("unchecked") // the driver declares a generic varargs parameter
    private List<StreamMessage<String, String>> next() {
        // recipe:begin
        List<StreamMessage<String, String>> left = redis.xautoclaim(
                        STREAM, XAutoClaimArgs.Builder.xautoclaim(me, patience, "0"))
                .getMessages();
        XReadArgs some = XReadArgs.Builder.count(10).block(BLOCK);
        return left.isEmpty() ? redis.xreadgroup(me, some, StreamOffset.lastConsumed(STREAM)) : left;
        // recipe:end
    }

    /** Handles and acknowledges the next messages. Returns the outcome of each; the list is empty if no message arrived within a moment. */
    public List<OnceGuard.Outcome<Boolean>> consume(Work work) throws InterruptedException {
        List<OnceGuard.Outcome<Boolean>> outcomes = new ArrayList<>();
        // recipe:begin
        for (StreamMessage<String, String> message : next()) {
            OnceGuard once = holdfast.once("message:" + message.getId(), Duration.ofDays(7));
            OnceGuard.Outcome<Boolean> outcome = once.run(Duration.ZERO, lease -> work.on(message.getBody()));
            if (!(outcome instanceof OnceGuard.Busy)) {
                redis.xack(STREAM, GROUP, message.getId()); // done now, or by a consumer that died before this line
            }
            outcomes.add(outcome);
        }
        // recipe:end
        return outcomes;
    }

    /**
     * Publishes three messages; the consumer that handles the first one dies before acknowledging it. The arguments are the nodes; the first node
     * holds the stream.
     */
    public static void main(String[] arguments) throws InterruptedException {
        try (RedisClient server = RedisClient.create(arguments[0]);
                Holdfast holdfast = Holdfast.connect(arguments)) {
            StatefulRedisConnection<String, String> dying = server.connect();
            RedisCommands<String, String> redis = server.connect().sync();
            create(redis);
            List.of("a", "b", "c").forEach(text -> redis.xadd(STREAM, Map.of(TEXT, text)));
            try {
                new StreamMessagesOnce(holdfast, dying.sync(), "first", PATIENCE).consume(message -> {
                    System.out.println("first handled " + message);
                    dying.close();
                });
            } catch (RedisException e) {
                System.out.println("first is dead: " + e.getMessage());
            }
            StreamMessagesOnce second = new StreamMessagesOnce(holdfast, redis, "second", PATIENCE);
            while (redis.xpending(STREAM, GROUP).getCount() > 0) {
                second.consume(message -> System.out.println("second handled " + message))
                        .forEach(System.out::println);
            }
            redis.del(STREAM);
        }
    }
}
