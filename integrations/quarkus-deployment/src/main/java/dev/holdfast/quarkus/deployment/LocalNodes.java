package dev.holdfast.quarkus.deployment;

import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.redis.process.RedisStartException;
import io.quarkus.deployment.builditem.Startable;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Nodes for one session of dev or test mode: Redis servers as processes of this machine, without containers. If no server can be started, the nodes are
 * in the memory of the application.
 */
final class LocalNodes implements Startable {

    private static final Logger LOG = Logger.getLogger(LocalNodes.class);

    private static final int MOST = 15;

    private final int count;
    private final IntFunction<RedisProcesses> starter;
    private @Nullable RedisProcesses servers;
    private String uris = "";

    /**
     * Returns the number of nodes from the configuration.
     *
     * @throws ConfigurationException unless it is 1 to 15
     */
    static int checked(int count) {
        if (count < 1 || count > MOST) {
            throw new ConfigurationException("quarkus.holdfast.devservices.nodes is " + count + "; choose 1 to " + MOST
                    + ", or switch these nodes off with quarkus.holdfast.devservices.enabled=false");
        }
        return count;
    }

    LocalNodes(int count) {
        this(count, RedisProcesses::start);
    }

    LocalNodes(int count, IntFunction<RedisProcesses> starter) {
        this.count = count;
        this.starter = starter;
    }

    @Override
    public synchronized void start() {
        try {
            RedisProcesses started = starter.apply(count);
            servers = started;
            uris = started.uris().stream().map(Object::toString).collect(Collectors.joining(","));
            LOG.infof("Dev Services for Holdfast started %d lock nodes as processes: %s", count, uris);
        } catch (RedisStartException e) {
            uris = IntStream.rangeClosed(1, count)
                    .mapToObj(node -> "memory:dev-services-" + node)
                    .collect(Collectors.joining(","));
            LOG.warnf(
                    "Dev Services for Holdfast use lock nodes in memory, which other processes do not see, because no Redis"
                            + " server can be started: %s",
                    e.getMessage());
        }
    }

    @Override
    public synchronized String getConnectionInfo() {
        return uris;
    }

    @Override
    public @Nullable String getContainerId() {
        return null;
    }

    @Override
    public synchronized void close() {
        if (servers != null) {
            servers.close();
            servers = null;
        }
    }
}
