package dev.holdfast.torture.world;

import dev.holdfast.redis.process.ClockShim;
import dev.holdfast.redis.process.NetworkNamespace;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The Redis servers of a run, with clocks that can be stepped, and for each server a network that can lose packets, as far as
 * this machine allows them.
 */
final class RedisServers implements Servers {

    private final Optional<String> noClocks = ClockShim.unavailable();
    private final Optional<String> noNetworks = NetworkNamespace.unavailable();
    private final List<NetworkNamespace> networks = new ArrayList<>();
    private final RedisProcesses processes;

    RedisServers(int count) {
        if (noNetworks.isEmpty()) {
            for (int i = 0; i < count; i++) {
                networks.add(NetworkNamespace.create());
            }
        }
        processes = RedisProcesses.start(count, this::options);
    }

    private RedisOptions options(int server) {
        RedisOptions options = RedisOptions.defaults().appendOnly(true).steppableClock(noClocks.isEmpty());
        return networks.isEmpty() ? options : options.network(networks.get(server));
    }

    @Override
    public List<NodeServer> all() {
        List<NodeServer> all = new ArrayList<>();
        processes.forEach(process -> all.add(new RedisServer(process)));
        return all;
    }

    @Override
    public List<NetworkNamespace> networks() {
        return List.copyOf(networks);
    }

    @Override
    public boolean haveSteppableClocks() {
        return noClocks.isEmpty();
    }

    @Override
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        noClocks.ifPresent(why -> missing.add("Steps of a server's clock: " + why + "."));
        noNetworks.ifPresent(why -> missing.add("Loss of packets: " + why + "."));
        missing.add(
                "Failover to a replica, and eviction: a quorum node has neither. Holdfast refuses replicas and warns of eviction.");
        return missing;
    }

    @Override
    public void close() {
        processes.close();
        networks.forEach(NetworkNamespace::close);
    }
}
