package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.world.EtcdServers;
import dev.holdfast.benchmarks.world.HoldfastServers;
import dev.holdfast.benchmarks.world.ServerKind;
import dev.holdfast.benchmarks.world.Trio;
import dev.holdfast.benchmarks.world.Worker;
import dev.holdfast.benchmarks.world.ZooKeeperServers;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** The clusters of all sides. Sides that differ only in their clients share one. */
final class Trios implements AutoCloseable {

    private final World world;
    private final Map<Side, Trio> trios = new EnumMap<>(Side.class);

    private Trios(World world) {
        this.world = world;
    }

    /** Starts what these sides need. */
    static Trios start(World world, List<Side> sides) throws IOException, InterruptedException {
        Trios started = new Trios(world);
        try {
            Map<String, Trio> byName = new HashMap<>();
            for (Side side : sides) {
                ServerKind kind = kind(side).get();
                Trio trio = byName.get(kind.name());
                if (trio == null) {
                    trio = Trio.start(kind, world.directory());
                    byName.put(kind.name(), trio);
                }
                started.trios.put(side, trio);
            }
            return started;
        } catch (IOException | InterruptedException | RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private static Supplier<ServerKind> kind(Side side) {
        return switch (side) {
            case HOLDFAST_CLUSTER, HOLDFAST_CLUSTER_AT_NODES -> HoldfastServers::new;
            case ETCD_CLUSTER -> EtcdServers::new;
            case ZOOKEEPER -> ZooKeeperServers::new;
            default -> throw new IllegalArgumentException(side + " has no cluster");
        };
    }

    /** Returns the cluster of a side. */
    Trio of(Side side) {
        return Objects.requireNonNull(trios.get(side));
    }

    /** The answers of workers, and the costs of the servers meanwhile. */
    record Turn(List<Answer> answers, double seconds, double cpuMicros, double writtenBytes) {}

    /** Lets workers of a side execute an order at the same time, and tells the pool of the servers' compilers. */
    Turn turn(Side side, List<Worker> workers, Order order) {
        Trio trio = of(side);
        double compiled = trio.compilerSeconds();
        double cpu = trio.cpuMicros();
        double written = trio.writtenBytes();
        long start = System.nanoTime();
        workers.forEach(worker -> worker.tell(order));
        List<Answer> answers = workers.stream().map(Worker::answer).toList();
        double seconds = (System.nanoTime() - start) / 1e9;
        world.pool().compiling((trio.compilerSeconds() - compiled) / seconds);
        return new Turn(answers, seconds, trio.cpuMicros() - cpu, trio.writtenBytes() - written);
    }

    @Override
    public void close() {
        trios.values().stream().distinct().forEach(Trio::close);
    }
}
