package dev.holdfast.spring.boot;

import dev.holdfast.spring.boot.ApplicationRedis.Access;
import dev.holdfast.spring.boot.ApplicationRedis.Host;
import dev.holdfast.spring.boot.ApplicationRedis.Sentinels;
import java.util.List;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/** The application's Redis as Spring Boot 4 describes it. */
final class BootRedis {

    private BootRedis() {}

    static ApplicationRedis details(DataRedisConnectionDetails redis) {
        if (redis.getMasterReplica() != null) {
            throw ApplicationRedis.refused(
                    "spring.data.redis.masterreplica",
                    "does not tell masters from replicas, and a replica must not vote");
        }
        Access access = new Access(redis.getUsername(), redis.getPassword(), redis.getSslBundle());
        DataRedisConnectionDetails.Sentinel sentinel = redis.getSentinel();
        if (sentinel != null) {
            return ApplicationRedis.ofSentinels(
                    access,
                    new Sentinels(hosts(sentinel.getNodes()), sentinel.getMaster(), sentinel.getDatabase()),
                    sentinel.getUsername(),
                    sentinel.getPassword());
        }
        DataRedisConnectionDetails.Cluster cluster = redis.getCluster();
        if (cluster != null) {
            return ApplicationRedis.ofCluster(access, hosts(cluster.getNodes()));
        }
        DataRedisConnectionDetails.Standalone server = redis.getStandalone();
        if (server == null) {
            throw ApplicationRedis.refused("spring.data.redis", "names no server");
        }
        return ApplicationRedis.ofServer(access, new Host(server.getHost(), server.getPort()), server.getDatabase());
    }

    private static List<Host> hosts(List<DataRedisConnectionDetails.Node> nodes) {
        return nodes.stream().map(node -> new Host(node.host(), node.port())).toList();
    }
}
