package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A client with one Redis node, whose answers it waits for. */
public final class NodeUser implements AutoCloseable {

    public static final long TTL_MILLIS = 30_000;

    private static final AtomicLong CLIENTS = new AtomicLong();

    final ListenerLog told = new ListenerLog();
    public final String client = "tester@host~" + String.format("%08d", CLIENTS.incrementAndGet());
    public final LockNode node;
    final Timing timing;
    private long attempt = 1_780_000_000_000_000L;

    NodeUser(String uri, NodeOptions options, long quarantineMillis, Timing timing) {
        this.timing = timing;
        this.node = new RedisNodeProvider()
                .open(
                        uri,
                        new NodeContext(
                                client,
                                told,
                                options,
                                timing,
                                new NodeContext.Times(ttl -> quarantineMillis, 86_400_000, 30_000),
                                3));
    }

    public static NodeUser open(String uri) {
        return open(uri, NodeOptions.defaults(), 0);
    }

    public static NodeUser open(String uri, NodeOptions options, long quarantineMillis) {
        return new NodeUser(uri, options, quarantineMillis, Timing.system("test"));
    }

    /** Waits until it is notified that the node accepts requests. */
    public NodeUser connected() {
        return awaitTold("available", 1);
    }

    /** Waits until that many lines of its output begin with this text. */
    NodeUser awaitTold(String beginning, int times) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(told.lines)
                        .filteredOn(line -> line.startsWith(beginning))
                        .as("%s among %s", beginning, told.lines)
                        .hasSizeGreaterThanOrEqualTo(times));
        return this;
    }

    public OwnerId newOwner() {
        return new OwnerId(client, ++attempt, 0);
    }

    public AcquireAnswer acquire(String resource, OwnerId owner) {
        return acquire(resource, owner, LockMode.EX, false);
    }

    public AcquireAnswer acquire(String resource, OwnerId owner, LockMode mode, boolean queue) {
        return answer(node.acquire(new AcquireRequest(
                resource,
                owner,
                mode,
                new AcquireRequest.Terms(TTL_MILLIS, 10_000, 1),
                queue,
                AcquireRequest.Update.NONE)));
    }

    AcquireAnswer extend(String resource, OwnerId owner, long fence, long ttlMillis) {
        return answer(node.acquire(AcquireRequest.forVote(resource, owner, LockMode.EX, ttlMillis, 10_000, 1)
                .extending(fence, null)));
    }

    public ReleaseAnswer release(String resource, OwnerId owner) {
        return answer(node.release(new ReleaseRequest(resource, owner, 0)));
    }

    public ResourceState inspect(String resource) {
        return (ResourceState) answer(node.inspect(resource));
    }

    NodeStatus status() {
        return answer(node.status());
    }

    public static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("a node's stages complete normally, and soon", e);
        }
    }

    /** How long tests wait for things that take moments. */
    static final Duration SOON = Duration.ofSeconds(60);

    @Override
    public void close() {
        node.close();
        timing.scheduler().close();
    }
}
