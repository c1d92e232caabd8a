package dev.holdfast.spring.boot;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** The application's own Redis as the only node: a server, a master watched by sentinels, or a cluster. */
final class RedisConnectionDetails implements HoldfastConnectionDetails {

    private static final String REMEDY = "List the nodes in holdfast.nodes.";

    private final DataRedisConnectionDetails redis;

    RedisConnectionDetails(DataRedisConnectionDetails redis) {
        this.redis = redis;
    }

    @Override
    public List<String> getNodes() {
        DataRedisConnectionDetails.Sentinel sentinel = redis.getSentinel();
        DataRedisConnectionDetails.Cluster cluster = redis.getCluster();
        if (redis.getMasterReplica() != null) {
            throw refused(
                    "spring.data.redis.masterreplica",
                    "does not tell masters from replicas, and a replica must not vote");
        }
        if (sentinel != null) {
            return List.of(uriOf(sentinel));
        }
        return List.of(cluster != null ? uriOf(cluster) : uriOfServer());
    }

    private String uriOf(DataRedisConnectionDetails.Sentinel sentinel) {
        refuseTls("redis-sentinel://");
        if (sentinel.getPassword() != null) {
            throw refused(
                    "spring.data.redis.sentinel.password", "is set, but Holdfast cannot authenticate to sentinels");
        }
        return "redis-sentinel://" + hosts(sentinel.getNodes())
                + (sentinel.getDatabase() == 0 ? "" : "/" + sentinel.getDatabase())
                + "?master="
                + URLEncoder.encode(sentinel.getMaster(), StandardCharsets.UTF_8)
                        .replace("+", "%20");
    }

    private String uriOf(DataRedisConnectionDetails.Cluster cluster) {
        refuseTls("redis-cluster://");
        return "redis-cluster://" + hosts(cluster.getNodes());
    }

    private String uriOfServer() {
        DataRedisConnectionDetails.Standalone server = redis.getStandalone();
        if (server == null) {
            throw refused("spring.data.redis", "names no server");
        }
        return (redis.getSslBundle() == null ? "redis://" : "rediss://")
                + hosts(List.of(new DataRedisConnectionDetails.Node(server.getHost(), server.getPort())))
                + (server.getDatabase() == 0 ? "" : "/" + server.getDatabase());
    }

    private static String hosts(List<DataRedisConnectionDetails.Node> nodes) {
        return nodes.stream()
                .map(node -> (isBareIpv6(node.host()) ? "[" + node.host() + "]" : node.host()) + ":" + node.port())
                .collect(Collectors.joining(","));
    }

    private static boolean isBareIpv6(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[");
    }

    private void refuseTls(String scheme) {
        if (redis.getSslBundle() != null) {
            throw refused("spring.data.redis.ssl", "is enabled, but Holdfast does not support TLS with " + scheme);
        }
    }

    private static HoldfastPropertyException refused(String property, String why) {
        return new HoldfastPropertyException(
                property, why + ", so the application's Redis cannot be used for locks", REMEDY, null);
    }

    @Override
    public @Nullable String getUsername() {
        return redis.getPassword() == null ? null : redis.getUsername();
    }

    @Override
    public @Nullable String getPassword() {
        return redis.getPassword();
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        return redis.getSslBundle();
    }
}
