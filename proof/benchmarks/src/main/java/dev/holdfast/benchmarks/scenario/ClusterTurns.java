package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Worker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The settings of {@link StrictCluster} whose threads lock all the time. */
final class ClusterTurns {

    private static final String NAME = StrictCluster.NAME;
    private static final double LONGER = 3;
    private static final double LONGER_IN_PROCESSES = 5; // so that each has enough turns to compare

    private static final double SERVERS_WARM_UP = 4; // times the warm-up of a client

    private static final double CONNECTED_SECONDS = 0.05;

    private final World world;
    private final Trios trios;

    ClusterTurns(World world, Trios trios) {
        this.world = world;
        this.trios = trios;
    }

    /**
     * Lets the servers of each side compile. One thread keeps them so idle that they would need minutes for it, and would
     * be measured while they interpret.
     */
    void warmUpServers(List<Side> sides) throws Exception {
        int threads = Collections.max(world.settings().size().threads());
        double limit = SERVERS_WARM_UP * world.settings().warmUp();
        world.warmUp(sides, limit, (side, round) -> ownLocks(side, threads, world.seconds(round)));
    }

    /** Measures threads that each have a lock of their own. */
    void uncontended(List<Side> sides) throws Exception {
        for (int threads : world.settings().size().threads()) {
            String setting = StrictCluster.threads(threads);
            play(setting, sides, (side, round) -> {
                Trios.Turn turn = ownLocks(side, threads, world.seconds(round, LONGER));
                Answer answer = turn.answers().get(0);
                world.add(NAME, setting, side, round, answer, Metric.PAIRS, Metric.P50, Metric.P99, Metric.CLIENT_CPU);
                costs(setting, side, round, turn);
            });
        }
    }

    private Trios.Turn ownLocks(Side side, int threads, double seconds) {
        Order order = Order.to(Task.OWN_LOCKS).with("threads", threads).with("seconds", seconds);
        return trios.turn(side, List.of(shared(side)), order);
    }

    /** Measures one lock that a thread of each of several processes wants. */
    void hot(List<Side> sides) throws Exception {
        Map<Side, List<Worker>> processes = new EnumMap<>(Side.class);
        sides.forEach(side -> processes.put(side, new ArrayList<>()));
        try {
            for (int count : world.settings().size().cluster().processes()) {
                String setting = StrictCluster.processes(count);
                if (world.settings().wantsCase(setting)) {
                    processes.forEach((side, all) -> startUntil(count, side, all));
                    play(
                            setting,
                            sides,
                            (side, round) -> hot(setting, side, round, Objects.requireNonNull(processes.get(side))));
                }
            }
        } finally {
            processes.values().forEach(all -> all.forEach(Worker::end));
            processes.values().forEach(all -> all.forEach(Worker::close));
        }
    }

    /** Starts workers, and lets each connect before the next, so that no turn waits for connections. */
    private void startUntil(int count, Side side, List<Worker> workers) {
        while (workers.size() < count) {
            Worker worker = world.pool()
                    .start(side, ClientOptions.DEFAULTS, trios.of(side).nodes());
            workers.add(worker);
            worker.ask(Order.to(Task.OWN_LOCKS).with("threads", 1).with("seconds", CONNECTED_SECONDS));
        }
    }

    private void hot(String setting, Side side, int round, List<Worker> processes) {
        Order order = HotOrder.of(world, 1, 1, round).with("seconds", world.seconds(round, LONGER_IN_PROCESSES));
        Trios.Turn turn = trios.turn(side, processes, order);
        world.add(NAME, setting, side, round, Metric.PAIRS, sum(turn, Metric.PAIRS));
        world.add(NAME, setting, side, round, Metric.SPREAD, Spread.of(turn.answers()));
        world.add(NAME, setting, side, round, Metric.INTRUDERS, sum(turn, Metric.INTRUDERS));
        costs(setting, side, round, turn);
    }

    /** Measures the time from a release to the acquisition by another client. */
    void handOver(List<Side> sides) throws Exception {
        play(StrictCluster.HAND_OVER, sides, (side, round) -> {
            Order order = Order.to(Task.HAND_OVER).with("hold", 0.002).with("seconds", world.seconds(round, LONGER));
            Answer answer = shared(side).ask(order);
            world.add(NAME, StrictCluster.HAND_OVER, side, round, answer, Metric.HAND_OVER_P50, Metric.HAND_OVER_P99);
        });
    }

    /** Measures readers and writers of one lock. */
    void readers(List<Side> sides) throws Exception {
        String setting = StrictCluster.READERS;
        play(setting, sides, (side, round) -> {
            Order order = Order.to(Task.READERS_WRITERS)
                    .with("clients", 2)
                    .with("readers", 9)
                    .with("writers", 1)
                    .with("hold", 0.001)
                    .with("settle", 0.3)
                    .with("seconds", world.seconds(round, LONGER))
                    .with("room", world.room());
            Answer answer = shared(side).ask(order);
            world.add(NAME, setting, side, round, answer, Metric.READS, Metric.WRITES, Metric.INTRUDERS);
            world.add(NAME, setting, side, round, answer, Metric.LONGEST_READ, Metric.LONGEST_WRITE);
        });
    }

    private void play(String setting, List<Side> sides, World.Turn<Side> turn) throws Exception {
        if (world.settings().wantsCase(setting)) {
            world.play(sides, turn);
            world.show(NAME, setting);
        }
    }

    private Worker shared(Side side) {
        return world.pool().shared(side, trios.of(side).nodes());
    }

    /** Adds the costs of the servers. They include the time to settle, so the pairs of the whole turn count. */
    private void costs(String setting, Side side, int round, Trios.Turn turn) {
        double pairs = sum(turn, Metric.PAIRS) * turn.seconds();
        world.add(NAME, setting, side, round, Metric.SERVER_CPU, turn.cpuMicros() / pairs);
        world.add(NAME, setting, side, round, Metric.WRITTEN, turn.writtenBytes() / pairs);
    }

    private static double sum(Trios.Turn turn, Metric metric) {
        return turn.answers().stream()
                .mapToDouble(answer -> answer.value(metric.key))
                .sum();
    }
}
