package dev.holdfast.torture.world;

import dev.holdfast.testkit.redis.TcpProxy;
import java.util.List;

/** A server of a cluster, as the faults of every kind of server see it. */
record ClusterMember(ClusterServers cluster, ClusterProcess process) implements NodeServer {

    @Override
    public String name() {
        return "server " + process.name();
    }

    @Override
    public boolean isRunning() {
        return process.isRunning();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void restart() {
        process.start();
    }

    @Override
    public boolean isPaused() {
        return process.isPaused();
    }

    @Override
    public void pause() {
        process.pause();
    }

    @Override
    public void resume() {
        process.resume();
    }

    @Override
    public TcpProxy link() {
        return TcpProxy.to(process.host(), process.port());
    }

    @Override
    public String address(TcpProxy link) {
        return "127.0.0.1:" + link.port();
    }

    /** Returns what the cluster still has of locks. It is one node, so only the first server answers for it. */
    @Override
    public List<String> left() {
        return process.name().equals("a") ? cluster.left() : List.of();
    }
}
