package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Workers;
import java.util.List;

/** Uncontended locks: 1, 8 and 64 threads, each with a lock of its own, on one node and on five. */
public final class Uncontended implements Scenario {

    public static final String NAME = "uncontended";

    private static final List<Side> ONE_NODE = List.of(
            Side.HOLDFAST,
            Side.RAW,
            Side.BARE_SCRIPTS,
            Side.REDISSON,
            Side.REDISSON_FAIR,
            Side.REDISSON_FENCED,
            Side.SPRING);
    private static final List<Side> FIVE_NODES =
            List.of(Side.HOLDFAST, Side.RAW, Side.BARE_SCRIPTS, Side.REDISSON_REDLOCK);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How fast are uncontended locks? Each thread acquires and releases its own lock.";
    }

    /** Returns the name of the setting with this many nodes and threads. */
    public static String setting(int nodes, int threads) {
        return "N = " + nodes + ", " + threads + (threads == 1 ? " thread" : " threads");
    }

    @Override
    public void run(World world) throws Exception {
        run(world, 1, ONE_NODE);
        run(world, 5, FIVE_NODES);
    }

    private void run(World world, int nodes, List<Side> all) throws Exception {
        List<Integer> wanted = world.settings().size().threads().stream()
                .filter(threads -> world.settings().wantsCase(setting(nodes, threads)))
                .toList();
        if (wanted.isEmpty()) {
            return;
        }
        List<Side> sides = world.wanted(all);
        Workers workers = world.workers(sides, world.servers().first(nodes));
        for (int threads : wanted) {
            String setting = setting(nodes, threads);
            world.play(sides, (side, round) -> {
                Order order = Order.to(Task.OWN_LOCKS).with("threads", threads).with("seconds", world.seconds(round));
                ServerTime before = ServerTime.of(world.servers(), nodes);
                Answer answer = workers.of(side).ask(order);
                double pairs = answer.value(Metric.PAIRS.key) * world.seconds(round);
                double serverMicros = ServerTime.of(world.servers(), nodes).microsSince(before);
                world.add(NAME, setting, side, round, answer, Metric.PAIRS, Metric.P50, Metric.P99);
                world.add(NAME, setting, side, round, answer, Metric.CLIENT_CPU, Metric.ALLOCATED);
                world.add(NAME, setting, side, round, Metric.SERVER_CPU, serverMicros / pairs);
            });
            world.show(NAME, setting);
        }
    }
}
