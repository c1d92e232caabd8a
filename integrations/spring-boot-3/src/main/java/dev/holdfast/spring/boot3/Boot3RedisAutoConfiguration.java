package dev.holdfast.spring.boot3;

import dev.holdfast.spring.boot.ApplicationRedis;
import dev.holdfast.spring.boot.ApplicationRedis.Access;
import dev.holdfast.spring.boot.ApplicationRedis.Host;
import dev.holdfast.spring.boot.ApplicationRedis.Sentinels;
import dev.holdfast.spring.boot.HoldfastAutoConfiguration;
import dev.holdfast.spring.boot.HoldfastAutoConfiguration.NodesNotListed;
import dev.holdfast.spring.boot.HoldfastConnectionDetails;
import dev.holdfast.spring.boot.HoldfastDataSourceAutoConfiguration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** The auto-configuration of the application's own Redis as the node, if no nodes are listed. */
@AutoConfiguration(
        after = {HoldfastAutoConfiguration.class, RedisAutoConfiguration.class},
        before = HoldfastDataSourceAutoConfiguration.class)
@ConditionalOnClass(RedisConnectionDetails.class)
@ConditionalOnMissingBean(HoldfastConnectionDetails.class)
@ConditionalOnSingleCandidate(RedisConnectionDetails.class)
@Conditional(NodesNotListed.class)
public final class Boot3RedisAutoConfiguration {

    @Bean
    HoldfastConnectionDetails holdfastConnectionDetails(RedisConnectionDetails redis) {
        RedisConnectionDetails.Sentinel sentinel = redis.getSentinel();
        if (sentinel != null) {
            return ApplicationRedis.ofSentinels(
                    access(redis, sentinel.getSslBundle()),
                    new Sentinels(hosts(sentinel.getNodes()), sentinel.getMaster(), sentinel.getDatabase()),
                    sentinel.getUsername(),
                    sentinel.getPassword());
        }
        RedisConnectionDetails.Cluster cluster = redis.getCluster();
        if (cluster != null) {
            return ApplicationRedis.ofCluster(access(redis, cluster.getSslBundle()), hosts(cluster.getNodes()));
        }
        RedisConnectionDetails.Standalone server = redis.getStandalone();
        if (server == null) {
            throw ApplicationRedis.refused("spring.data.redis", "names no server");
        }
        return ApplicationRedis.ofServer(
                access(redis, server.getSslBundle()),
                new Host(server.getHost(), server.getPort()),
                server.getDatabase());
    }

    private static Access access(RedisConnectionDetails redis, @Nullable SslBundle sslBundle) {
        return new Access(redis.getUsername(), redis.getPassword(), sslBundle);
    }

    private static List<Host> hosts(List<RedisConnectionDetails.Node> nodes) {
        return nodes.stream().map(node -> new Host(node.host(), node.port())).toList();
    }
}
