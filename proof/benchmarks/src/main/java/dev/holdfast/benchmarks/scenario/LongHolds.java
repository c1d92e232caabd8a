package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.world.Workers;
import java.util.List;

/**
 * The case that redlock4j publishes: five clients that do 50 ms of work under one lock, so 20 a second is the limit.
 */
public final class LongHolds implements Scenario {

    public static final String NAME = "redlock4j";

    /** The limit in locks a second if locking takes no time. */
    public static final double LIMIT = 20;

    private static final int CLIENTS = 5;
    private static final double LONGER = 4;
    private static final int MOST_ROUNDS = 3; // a second more or less of this work makes no difference
    private static final List<Side> ONE_NODE = List.of(Side.HOLDFAST, Side.REDISSON, Side.REDISSON_FAIR, Side.SPRING);
    private static final List<Side> THREE_NODES = List.of(Side.HOLDFAST, Side.REDISSON_REDLOCK);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "Five clients do 50 ms of work each under one lock: how close do they come to the limit of 20 locks a second?"
                + " (redlock4j publishes this case.)";
    }

    /** Returns the name of the setting with this many nodes. */
    public static String setting(int nodes) {
        return "N = " + nodes + ", " + CLIENTS + " clients, 50 ms of work";
    }

    @Override
    public void run(World world) throws Exception {
        run(world, 1, world.wanted(ONE_NODE));
        run(world, 3, world.wanted(THREE_NODES));
    }

    private static void run(World world, int nodes, List<Side> sides) throws Exception {
        String setting = setting(nodes);
        if (!world.settings().wantsCase(setting)) {
            return;
        }
        Workers workers = world.workers(sides, world.servers().first(nodes));
        world.play(sides, world.rounds(MOST_ROUNDS), (side, round) -> {
            Order order = HotOrder.of(world, CLIENTS, 1, round)
                    .with("hold", 1 / LIMIT)
                    .with("seconds", world.seconds(round, LONGER));
            Answer answer = workers.of(side).ask(order);
            world.add(NAME, setting, side, round, answer, Metric.RATE, Metric.INTRUDERS);
        });
        world.show(NAME, setting);
    }
}
