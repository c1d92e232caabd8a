package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Workers;
import java.util.List;

/** Nine readers for each writer, all of which want the same lock. */
public final class Readers implements Scenario {

    public static final String NAME = "readers";
    public static final String SETTING = "N = 1, 2 clients, 9 readers and 1 writer each, 1 ms held";

    private static final List<Side> SIDES = List.of(Side.HOLDFAST, Side.REDISSON);
    private static final double LONGER = 2;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "Do readers starve writers? There are nine readers for each writer, and all of them lock all the time"
                + " (Holdfast in modes PR and EX, Redisson with its RReadWriteLock).";
    }

    @Override
    public void run(World world) throws Exception {
        List<Side> sides = world.wanted(SIDES);
        Workers workers = world.workers(sides, world.servers().first(1));
        world.play(sides, (side, round) -> {
            Order order = Order.to(Task.READERS_WRITERS)
                    .with("clients", 2)
                    .with("readers", 9)
                    .with("writers", 1)
                    .with("hold", 0.001)
                    .with("settle", 0.3)
                    .with("seconds", world.seconds(round, LONGER))
                    .with("room", world.room());
            Answer answer = workers.of(side).ask(order);
            world.add(NAME, SETTING, side, round, answer, Metric.READS, Metric.WRITES, Metric.INTRUDERS);
            world.add(NAME, SETTING, side, round, answer, Metric.LONGEST_READ, Metric.LONGEST_WRITE);
        });
        world.show(NAME, SETTING);
    }
}
