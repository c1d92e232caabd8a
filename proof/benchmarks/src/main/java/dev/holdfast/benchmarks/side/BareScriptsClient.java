package dev.holdfast.benchmarks.side;

import dev.holdfast.redis.script.LuaScript;
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

/**
 * Holdfast's two scripts over plain Lettuce whose flushes are put together as Holdfast does it, and nothing else: no queue, no timeouts, no
 * validity, no renewal. The difference to Holdfast is what all that costs.
 */
final class BareScriptsClient implements LockClient {

    private static final int MOST_FLUSHES_AT_ONCE = 256;

    private final LettuceNodes nodes;
    private final String client;
    private final AtomicLong attempts = new AtomicLong(System.currentTimeMillis() * 1000);

    BareScriptsClient(List<String> nodes) {
        this.nodes = new LettuceNodes(nodes, resources());
        this.nodes.digest(LuaScript.ACQUIRE_ALONE.text());
        this.nodes.digest(LuaScript.RELEASE_ALONE.text());
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
        String[] acquireKeys = BareScripts.acquireKeys(name);
        String[] releaseKeys = BareScripts.releaseKeys(name);
        return () -> {
            String owner = client + "/" + attempts.incrementAndGet() + "/0";
            if (!acquire(acquireKeys, owner)) {
                throw new IllegalStateException(name + " is not free");
            }
            return () -> release(releaseKeys, owner);
        };
    }

    /** A number alone is the fence of a vote that was granted. */
    private boolean acquire(String[] keys, String owner) throws InterruptedException {
        String[] arguments = BareScripts.acquireArguments(owner);
        return nodes.<Long>ask(
                redis -> redis.evalsha(LuaScript.ACQUIRE_ALONE.sha1(), ScriptOutputType.INTEGER, keys, arguments),
                fence -> fence > 0);
    }

    private void release(String[] keys, String owner) {
        String[] arguments = BareScripts.releaseArguments(owner);
        nodes.<Long>askToTheEnd(
                redis -> redis.evalsha(LuaScript.RELEASE_ALONE.sha1(), ScriptOutputType.INTEGER, keys, arguments),
                released -> released == 1);
    }

    @Override
    public void close() {
        nodes.close();
    }
}
