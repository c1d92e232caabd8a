package dev.holdfast.benchmarks.side;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The lower bound for all clients, over plain Lettuce: {@code SET NX PX}, then a script that deletes the key if the
 * value is still the same, as in the Redis documentation. It can't wait, so it is only for free locks; a lock that is
 * not free is an error.
 */
final class RawClient implements LockClient {

    private static final long TTL_MILLIS = 30_000;

    private final LettuceNodes nodes;
    private final String script;
    private final String client = Long.toHexString(ThreadLocalRandom.current().nextLong());
    private final AtomicLong attempts = new AtomicLong();

    RawClient(List<String> nodes) {
        this.nodes = new LettuceNodes(nodes, resources());
        script = this.nodes.digest(BareScripts.DELETE_IF_SAME);
    }

    private static ClientResources resources() {
        return DefaultClientResources.builder()
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .build();
    }

    @Override
    public NamedLock lock(String name) {
        String[] keys = {name};
        return () -> {
            String value = client + attempts.incrementAndGet();
            if (!nodes.ask(redis -> set(redis, name, value), "OK"::equals)) {
                throw new IllegalStateException(name + " is not free");
            }
            return () -> release(keys, value);
        };
    }

    private static RedisFuture<String> set(RedisAsyncCommands<String, String> redis, String name, String value) {
        return redis.set(name, value, SetArgs.Builder.nx().px(TTL_MILLIS));
    }

    private void release(String[] keys, String value) {
        nodes.askToTheEnd(
                redis -> redis.<Long>evalsha(script, ScriptOutputType.INTEGER, keys, value), done -> done == 1);
    }

    @Override
    public void close() {
        nodes.close();
    }
}
