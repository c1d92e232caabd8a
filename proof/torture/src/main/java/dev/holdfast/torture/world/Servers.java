package dev.holdfast.torture.world;

import dev.holdfast.redis.process.ClockShim;
import dev.holdfast.redis.process.NetworkNamespace;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The servers of a run, with clocks that can be stepped, and for each server a network that can lose packets, as far as
 * this machine allows them.
 */
public final class Servers implements AutoCloseable {

    private final Optional<String> noClocks = ClockShim.unavailable();
    private final Optional<String> noNetworks = NetworkNamespace.unavailable();
    private final List<NetworkNamespace> networks = new ArrayList<>();
    private final RedisProcesses processes;

    private Servers(int count) {
        if (noNetworks.isEmpty()) {
            for (int i = 0; i < count; i++) {
                networks.add(NetworkNamespace.create());
            }
        }
        processes = RedisProcesses.start(count, this::options);
    }

    /** Starts this many servers. */
    public static Servers start(int count) {
        return new Servers(count);
    }

    private RedisOptions options(int server) {
        RedisOptions options = RedisOptions.defaults().appendOnly(true).steppableClock(noClocks.isEmpty());
        return networks.isEmpty() ? options : options.network(networks.get(server));
    }

    RedisProcesses processes() {
        return processes;
    }

    /** Returns all servers. */
    public List<RedisProcess> all() {
        List<RedisProcess> all = new ArrayList<>();
        processes.forEach(all::add);
        return all;
    }

    /** Returns the networks of all servers; empty where this machine allows none. */
    public List<NetworkNamespace> networks() {
        return List.copyOf(networks);
    }

    /** Returns whether clocks can be stepped. */
    public boolean haveSteppableClocks() {
        return noClocks.isEmpty();
    }

    /** Returns the faults that this machine does not allow, with the reasons. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        noClocks.ifPresent(why -> missing.add("Steps of a server's clock: " + why + "."));
        noNetworks.ifPresent(why -> missing.add("Loss of packets: " + why + "."));
        return missing;
    }

    @Override
    public void close() {
        processes.close();
        networks.forEach(NetworkNamespace::close);
    }
}
