package dev.holdfast.torture.world;

import dev.holdfast.redis.process.Epoch;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.redis.TcpProxy;
import java.util.List;

/** A Redis server. */
record RedisServer(RedisProcess process) implements NodeServer {

    @Override
    public String name() {
        return process.uri().toString();
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
        process.restart();
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
        return TcpProxy.to(process);
    }

    @Override
    public String address(TcpProxy link) {
        return link.uri().toString();
    }

    @Override
    public List<String> left() {
        return process.keys().stream().filter(key -> !key.equals(Epoch.KEY)).toList();
    }
}
