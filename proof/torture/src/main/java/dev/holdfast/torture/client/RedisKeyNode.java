package dev.holdfast.torture.client;

import dev.holdfast.testkit.textbook.KeyAnswer;
import dev.holdfast.testkit.textbook.KeyNode;
import dev.holdfast.time.Scheduler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A real server for the textbook client, with the commands and the scripts of the Redis documentation. */
final class RedisKeyNode implements KeyNode {

    private static final long CONNECT_AGAIN_NANOS = 100_000_000;
    private static final String DELETE =
            "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";
    private static final String EXPIRE =
            "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end";

    private final RedisClient client;
    private final RedisURI uri;
    private final Scheduler scheduler;
    private volatile @Nullable StatefulRedisConnection<String, String> connection;

    RedisKeyNode(RedisClient client, String address, Scheduler scheduler) {
        this.client = client;
        this.uri = RedisURI.create(address);
        this.scheduler = scheduler;
        uri.setTimeout(Duration.ofSeconds(2));
        connect();
    }

    /** Opens the first connection; the driver opens all later ones. */
    private void connect() {
        client.connectAsync(StringCodec.UTF8, uri).whenComplete((connected, failure) -> {
            connection = connected;
            if (failure != null) {
                scheduler.schedule(CONNECT_AGAIN_NANOS, this::connect);
            }
        });
    }

    @Override
    public CompletionStage<KeyAnswer> setIfAbsent(String key, String value, long ttlMillis) {
        return ask(redis -> redis.set(key, value, SetArgs.Builder.nx().px(ttlMillis))
                .thenApply(answer -> answer == null ? KeyAnswer.NO : KeyAnswer.YES));
    }

    @Override
    public CompletionStage<KeyAnswer> deleteIfEqual(String key, String value) {
        return ask(redis -> redis.<Long>eval(DELETE, ScriptOutputType.INTEGER, new String[] {key}, value)
                .thenApply(RedisKeyNode::answer));
    }

    @Override
    public CompletionStage<KeyAnswer> expireIfEqual(String key, String value, long ttlMillis) {
        return ask(redis -> redis.<Long>eval(
                        EXPIRE, ScriptOutputType.INTEGER, new String[] {key}, value, Long.toString(ttlMillis))
                .thenApply(RedisKeyNode::answer));
    }

    private static KeyAnswer answer(Long changed) {
        return changed == 1 ? KeyAnswer.YES : KeyAnswer.NO;
    }

    private CompletionStage<KeyAnswer> ask(
            Function<RedisAsyncCommands<String, String>, CompletionStage<KeyAnswer>> command) {
        StatefulRedisConnection<String, String> open = connection;
        return open == null
                ? CompletableFuture.completedStage(KeyAnswer.UNKNOWN)
                : command.apply(open.async()).exceptionally(failure -> KeyAnswer.UNKNOWN);
    }
}
