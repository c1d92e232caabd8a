package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Trio;
import dev.holdfast.benchmarks.world.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The settings of {@link StrictCluster} whose clients wait nearly all the time. */
final class ClusterWaits {

    private static final String NAME = StrictCluster.NAME;
    private static final int MOST_ROUNDS = 3;
    private static final int SHORT_LINE = 10;
    private static final int LONG_LINE = 10_000;
    private static final double REQUEST_EVERY_SECONDS = 0.1;

    private final World world;
    private final Trios trios;

    ClusterWaits(World world, Trios trios) {
        this.world = world;
        this.trios = trios;
    }

    private record Line(Side side, int waiters) {}

    /** Measures hand-overs of one lock with a short and a long queue, each in a process of its own. */
    void waiters(List<Side> sides) throws Exception {
        List<Line> lines = new ArrayList<>();
        List<Integer> all = world.settings().size().waiters();
        for (int waiters : new TreeSet<>(List.of(all.get(0), all.get(all.size() - 1)))) {
            if (world.settings().wantsCase(StrictCluster.waiters(waiters))) {
                sides.forEach(side -> lines.add(new Line(side, waiters)));
            }
        }
        world.count(lines, world.rounds(MOST_ROUNDS), this::measure);
        lines.stream()
                .map(line -> StrictCluster.waiters(line.waiters()))
                .distinct()
                .forEach(setting -> world.show(NAME, setting));
    }

    private void measure(Line line, int round) {
        Side side = line.side();
        String setting = StrictCluster.waiters(line.waiters());
        try (Worker worker = start(side)) {
            // a lock of its own: the lease of a killed worker lasts until its ttl ends
            String lock = side.name() + "-" + line.waiters() + "-" + round;
            worker.ask(order("warm-up-" + lock, SHORT_LINE, 1, round));
            Answer answer = worker.ask(order("line-" + lock, line.waiters(), 3, round));
            world.add(NAME, setting, side, round, answer, Metric.COST, Metric.INTRUDERS);
            worker.kill();
        }
    }

    private Order order(String lock, int waiters, double longer, int round) {
        return Order.to(Task.MANY_WAITERS)
                .with("waiters", waiters)
                .with("lock", lock)
                .with(
                        "settle",
                        waiters >= LONG_LINE
                                ? 2
                                : Math.min(0.5, world.settings().warmUp()))
                .with("seconds", world.seconds(round, longer))
                .with("room", world.room());
    }

    /** Measures what clients cost that do nothing but hold a lock. */
    void sessions(List<Side> sides) throws Exception {
        int sessions = world.settings().size().cluster().sessions();
        String setting = StrictCluster.sessions(sessions);
        if (!world.settings().wantsCase(setting)) {
            return;
        }
        world.count(sides, 1, (side, round) -> {
            try (Worker worker = start(side)) {
                worker.ask(Order.to(Task.HOLD_IN_CLIENTS).with("clients", sessions));
                Order watch = Order.to(Task.OBSERVE)
                        .with("seconds", world.settings().size().leasesSeconds());
                Trios.Turn turn = trios.turn(side, List.of(worker), watch);
                Answer answer = turn.answers().get(0);
                double load = 100 * turn.cpuMicros() / 1e6 / turn.seconds();
                world.add(NAME, setting, side, round, answer, Metric.CPU, Metric.THREADS_ALL);
                world.add(NAME, setting, side, round, Metric.SERVERS_LOAD, load);
                world.add(NAME, setting, side, round, Metric.WRITTEN_RATE, turn.writtenBytes() / turn.seconds());
            }
        });
        world.show(NAME, setting);
    }

    /** Measures the time without grants after the leader was killed. */
    void failover(List<Side> sides) throws Exception {
        String setting = StrictCluster.FAILOVER;
        if (!world.settings().wantsCase(setting)) {
            return;
        }
        for (int round = 1; round <= world.rounds(MOST_ROUNDS); round++) {
            for (Side side : sides) {
                world.add(NAME, setting, side, round, Metric.FAILOVER, failoverMillis(side));
            }
        }
        world.show(NAME, setting);
    }

    private double failoverMillis(Side side) throws Exception {
        Trio trio = trios.of(side);
        try (Worker worker = start(side)) {
            int leader = trio.awaitAll();
            worker.ask(Order.to(Task.FIRST_GRANT).with("lock", "before-").with("every", REQUEST_EVERY_SECONDS));
            long start = System.nanoTime();
            trio.kill(leader);
            worker.ask(Order.to(Task.FIRST_GRANT).with("lock", "after-").with("every", REQUEST_EVERY_SECONDS));
            double millis = (System.nanoTime() - start) / 1e6;
            trio.restart();
            return millis;
        }
    }

    private Worker start(Side side) {
        return world.pool().start(side, ClientOptions.DEFAULTS, trios.of(side).nodes());
    }
}
