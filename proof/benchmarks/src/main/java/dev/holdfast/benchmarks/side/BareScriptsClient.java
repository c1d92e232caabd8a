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
 * A client that only runs Holdfast's two scripts over plain Lettuce, with Holdfast's flush consolidation. It has no
 * queue, no timeouts, no validity and no extension. The difference from Holdfast is the cost of all these.
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

    /**
     * Acquires the lock and returns whether it was granted. A reply that is only a number is the fence of a granted
     * vote.
     */
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
