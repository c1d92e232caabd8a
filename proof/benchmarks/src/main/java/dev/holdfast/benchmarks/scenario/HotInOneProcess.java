package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.world.Workers;
import java.util.List;
import java.util.stream.Stream;

/** One lock that all 8 or 64 threads of a process want; and a single thread that acquires it repeatedly. */
public final class HotInOneProcess implements Scenario {

    public static final String NAME = "hot";

    private static final List<Side> MANY = List.of(
            Side.HOLDFAST,
            Side.HOLDFAST_AT_NODES,
            Side.REDISSON,
            Side.REDISSON_FAIR,
            Side.REDISSON_FENCED,
            Side.SPRING);
    private static final List<Side> ALONE =
            List.of(Side.HOLDFAST, Side.HOLDFAST_LINGER, Side.RAW, Side.REDISSON, Side.SPRING);
    private static final List<Side> ALL =
            Stream.concat(MANY.stream(), ALONE.stream()).distinct().toList();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How fast do the threads of one process hand one lock over if all of them want it all the time?"
                + " And how fast does a single thread acquire it again?";
    }

    /** Returns the name of the setting with this many threads. */
    public static String setting(int threads) {
        return Uncontended.setting(1, threads);
    }

    @Override
    public void run(World world) throws Exception {
        Workers workers = world.workers(world.wanted(ALL), world.servers().first(1));
        for (int threads : world.settings().size().threads()) {
            if (world.settings().wantsCase(setting(threads))) {
                run(world, workers, threads, world.wanted(threads == 1 ? ALONE : MANY));
            }
        }
    }

    private static void run(World world, Workers workers, int threads, List<Side> sides) throws Exception {
        String setting = setting(threads);
        world.play(sides, (side, round) -> {
            Answer answer = workers.of(side).ask(HotOrder.of(world, 1, threads, round));
            world.add(NAME, setting, side, round, answer, Metric.PAIRS, Metric.P50, Metric.P99, Metric.INTRUDERS);
            if (threads > 1) {
                world.add(NAME, setting, side, round, Metric.SPREAD, Spread.of(List.of(answer)));
            }
        });
        world.show(NAME, setting);
    }
}
