package dev.holdfast.redis.connection;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A connector to a Redis Cluster as one node: each lock is at the master of its slot. Pushes come from any member, since PUBLISH reaches
 * all of them.
 *
 * <p>Lettuce follows the slots and reconnects to members. Requests under way end when their member fails; Lettuce neither keeps nor
 * re-sends them. The node notices only the end of its initial connections.
 */
public final class ClusterConnector implements Connector {

    private static final Duration REFRESH_PERIOD = Duration.ofSeconds(30);

    private final LettuceSettings settings;
    private final ClusterClientOptions options;
    private final ClientResources resources;

    public ClusterConnector(LettuceSettings settings) {
        this.settings = settings;
        this.options = ClusterClientOptions.builder(settings.clientOptions())
                .autoReconnect(true)
                .topologyRefreshOptions(refresh())
                .build();
        this.resources = SharedResources.acquire();
    }

    @SuppressWarnings("deprecation") // Lettuce 6 enables the triggers only on request, Lettuce 7 always
    private static ClusterTopologyRefreshOptions refresh() {
        return ClusterTopologyRefreshOptions.builder()
                .enableAllAdaptiveRefreshTriggers()
                .enablePeriodicRefresh(REFRESH_PERIOD)
                .build();
    }

    /** Connects with a separate client for each connection, since Lettuce takes the credentials of a cluster only once. */
    @Override
    public CompletableFuture<LettuceConnections> connect() {
        List<RedisURI> seeds = settings.address().place().hosts().stream()
                .map(settings::redisUri)
                .toList();
        RedisClusterClient client = RedisClusterClient.create(resources, seeds);
        client.setOptions(options);
        CompletableFuture<LettuceConnections> opening = client.refreshPartitionsAsync()
                .thenCompose(known -> client.connectAsync(StringCodec.UTF8))
                .thenCompose(commands -> connectToMasters(client, commands))
                .thenCompose(commands -> client.connectPubSubAsync(StringCodec.UTF8)
                        .thenApply(pushes ->
                                LettuceConnections.ofCluster(commands, pushes, id(client), () -> shutdown(client))))
                .toCompletableFuture();
        opening.whenComplete((wires, thrown) -> {
            if (thrown != null) { // also if it was cancelled
                shutdown(client);
            }
        });
        return opening;
    }

    /**
     * Connects in advance, since Lettuce rejects commands that would have to wait for a connection. One master is enough: requests about
     * the locks of a master that is down get an answer, too. A cluster lists a dead member until an operator removes it, long after its replica has been promoted.
     */
    private static CompletionStage<StatefulRedisClusterConnection<String, String>> connectToMasters(
            RedisClusterClient client, StatefulRedisClusterConnection<String, String> commands) {
        List<CompletableFuture<StatefulRedisConnection<String, String>>> masters = client.getPartitions().stream()
                .filter(member -> member.is(NodeFlag.UPSTREAM) && !member.is(NodeFlag.FAIL))
                .map(RedisClusterNode::getUri)
                .map(uri -> commands.getConnectionAsync(uri.getHost(), uri.getPort()))
                .toList();
        return CompletableFuture.allOf(masters.toArray(CompletableFuture[]::new))
                .handle((connected, thrown) -> {
                    if (thrown != null && masters.stream().allMatch(CompletableFuture::isCompletedExceptionally)) {
                        throw new CompletionException(thrown);
                    }
                    return commands;
                });
    }

    /** Returns the smallest of the members' ids. An id never changes, unless the cluster forgets that member. */
    private static String id(RedisClusterClient client) {
        return "cluster-"
                + client.getPartitions().stream()
                        .map(RedisClusterNode::getNodeId)
                        .sorted()
                        .findFirst()
                        .orElse("");
    }

    private static CompletableFuture<Void> shutdown(RedisClusterClient client) {
        return client.shutdownAsync(SharedResources.QUIET_MILLIS, SharedResources.STOP_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void afterReading(Runnable task) {
        SharedResources.afterReading(task);
    }

    @Override
    public String hint() {
        return settings.address().tlsHint();
    }

    @Override
    public void close() {
        SharedResources.release();
    }
}
