package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Answer;
import dev.holdfast.benchmarks.world.Order;
import dev.holdfast.benchmarks.world.Workers;
import java.util.List;

/** One lock that all threads of a process want, 8 and 64. */
public final class HotInOneProcess implements Scenario {

    public static final String NAME = "hot";

    private static final List<Integer> THREADS = List.of(8, 64);
    private static final List<Side> SIDES =
            List.of(Side.HOLDFAST, Side.REDISSON, Side.REDISSON_FAIR, Side.REDISSON_FENCED, Side.SPRING);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How fast does one lock go from thread to thread of one process, when all want it all the time?";
    }

    /** What figures of so many threads are found under. */
    public static String setting(int threads) {
        return "N = 1, " + threads + " threads";
    }

    @Override
    public void run(World world) throws Exception {
        List<Side> sides = world.wanted(SIDES);
        try (Workers workers = world.workers(sides, world.servers().first(1))) {
            for (int threads : THREADS) {
                String setting = setting(threads);
                if (!world.settings().wantsCase(setting)) {
                    continue;
                }
                world.play(sides, (side, round) -> {
                    Order order = Order.to(Task.HOT_LOCK)
                            .with("clients", 1)
                            .with("threads", threads)
                            .with("hold", 0)
                            .with("settle", 0.2)
                            .with("seconds", world.seconds(round))
                            .with("room", world.room());
                    Answer answer = workers.of(side).ask(order);
                    world.add(
                            NAME, setting, side, round, answer, Metric.PAIRS, Metric.P50, Metric.P99, Metric.INTRUDERS);
                    world.add(NAME, setting, side, round, Metric.SPREAD, Spread.of(List.of(answer)));
                });
                world.show(NAME, setting);
            }
        }
    }
}
