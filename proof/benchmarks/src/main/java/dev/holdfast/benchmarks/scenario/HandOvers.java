package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Workers;
import java.util.List;

/** The time from the release by one client to the acquisition by the next, which waits for it. */
public final class HandOvers implements Scenario {

    public static final String NAME = "hand-over";

    private static final double LONGER = 2;
    private static final List<Side> ONE_NODE =
            List.of(Side.HOLDFAST, Side.REDISSON, Side.REDISSON_FAIR, Side.REDISSON_FENCED, Side.SPRING);
    private static final List<Side> FIVE_NODES = List.of(Side.HOLDFAST, Side.REDISSON_REDLOCK);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How long does it take from the call of release until the first waiter, in another client, has the lock?";
    }

    /** Returns the name of the setting with this many nodes. */
    public static String setting(int nodes) {
        return "N = " + nodes + ", 2 clients";
    }

    @Override
    public void run(World world) throws Exception {
        run(world, 1, world.wanted(ONE_NODE));
        run(world, 5, world.wanted(FIVE_NODES));
    }

    private static void run(World world, int nodes, List<Side> sides) throws Exception {
        String setting = setting(nodes);
        if (!world.settings().wantsCase(setting)) {
            return;
        }
        Workers workers = world.workers(sides, world.servers().first(nodes));
        world.play(sides, (side, round) -> {
            Order order = Order.to(Task.HAND_OVER).with("hold", 0.002).with("seconds", world.seconds(round, LONGER));
            Answer answer = workers.of(side).ask(order);
            world.add(NAME, setting, side, round, answer, Metric.HAND_OVER_P50, Metric.HAND_OVER_P99);
        });
        world.show(NAME, setting);
    }
}
