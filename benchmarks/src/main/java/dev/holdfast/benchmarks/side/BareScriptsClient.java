package dev.holdfast.benchmarks.side;

import dev.holdfast.redis.LuaScript;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Holdfast's two scripts over plain Lettuce whose flushes are put together as Holdfast does it, and nothing else: no queue, no timeouts, no
 * validity, no renewal. The difference to Holdfast is what all that costs.
 */
final class BareScriptsClient implements LockClient {

    private static final int MOST_FLUSHES_AT_ONCE = 256;
    private static final String TTL_MILLIS = "30000";
    private static final String WAITER_TTL_MILLIS = "10000";
    private static final String FENCE_RETENTION_MILLIS = "86400000";

    private final LettuceNodes nodes;
    private final String client;
    private final AtomicLong attempts = new AtomicLong(System.currentTimeMillis() * 1000);
    private final String base = Long.toString((System.currentTimeMillis() / 1000) << 20);

    BareScriptsClient(List<String> nodes) {
        this.nodes = new LettuceNodes(nodes, resources());
        this.nodes.digest(LuaScript.ACQUIRE.text());
        this.nodes.digest(LuaScript.RELEASE.text());
        client = "bare~" + String.format("%016x", ThreadLocalRandom.current().nextLong());
    }

    private static ClientResources resources() {
        return DefaultClientResources.builder()
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_FLUSHES_AT_ONCE, true));
                    }
                })
                .build();
    }

    @Override
    public NamedLock lock(String name) {
        String lock = "lock:" + name;
        String[] keys = Stream.concat(
                        Stream.of(lock),
                        Stream.of("fence", "queue", "shared", "buried", "seal", "expiries", "requests")
                                .map(part -> "{" + lock + "}:holdfast:" + part))
                .toArray(String[]::new);
        return () -> {
            String owner = client + "/" + attempts.incrementAndGet() + "/0";
            if (!acquire(keys, owner)) {
                throw new IllegalStateException(name + " is not free");
            }
            return () -> release(keys, owner);
        };
    }

    /** KEYS and ARGV as acquire.lua says them; a number alone is the fence of a vote that was granted. */
    private boolean acquire(String[] keys, String owner) throws InterruptedException {
        return nodes.<Long>ask(
                redis -> redis.evalsha(
                        LuaScript.ACQUIRE.sha1(),
                        ScriptOutputType.INTEGER,
                        keys,
                        owner,
                        TTL_MILLIS,
                        FENCE_RETENTION_MILLIS,
                        base,
                        WAITER_TTL_MILLIS),
                fence -> fence > 0);
    }

    /** KEYS and ARGV as release.lua says them. */
    private void release(String[] keys, String owner) {
        nodes.<Long>askToTheEnd(
                redis -> redis.evalsha(
                        LuaScript.RELEASE.sha1(), ScriptOutputType.INTEGER, keys, owner, FENCE_RETENTION_MILLIS, base),
                released -> released == 1);
    }

    @Override
    public void close() {
        nodes.close();
    }
}
