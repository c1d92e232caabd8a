package dev.holdfast.junit;

import dev.holdfast.HoldfastBuilder;
import dev.holdfast.redis.process.RedisProcesses;
import java.net.URI;
import java.util.List;

/** The nodes of a test as real Redis servers on free ports of this machine. */
final class RedisNodes implements NodeSet {

    private final RedisProcesses servers;

    RedisNodes(int count) {
        this.servers = RedisProcesses.start(count);
    }

    @Override
    public void addTo(HoldfastBuilder builder) {
        servers.uris().forEach(uri -> builder.nodes(uri.toString()));
    }

    @Override
    public List<URI> uris() {
        return servers.uris();
    }

    @Override
    public void pause(int node) {
        servers.node(node).pause();
    }

    @Override
    public void resume(int node) {
        servers.node(node).resume();
    }

    @Override
    public void kill(int node) {
        servers.node(node).kill();
    }

    @Override
    public void restart(int node) {
        servers.node(node).restartEmpty(false);
    }

    @Override
    public void close() {
        servers.close();
    }
}
