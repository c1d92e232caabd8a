package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.world.Worker;
import dev.holdfast.benchmarks.world.Workers;
import java.util.ArrayList;
import java.util.List;

/** One lock that four threads of each of several processes want. */
public final class HotInProcesses implements Scenario {

    public static final String NAME = "processes";

    private static final int THREADS = 4;
    private static final List<Side> SIDES =
            List.of(Side.HOLDFAST, Side.HOLDFAST_AT_NODES, Side.REDISSON, Side.REDISSON_FAIR, Side.SPRING);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How fast, and how evenly, does one lock change hands between several processes that want it all the time?";
    }

    /** Returns the name of the setting with this many processes. */
    public static String setting(int processes) {
        return "N = 1, " + processes + " processes, " + THREADS + " threads each";
    }

    @Override
    public void run(World world) throws Exception {
        List<Integer> wanted = world.settings().size().processes().stream()
                .filter(processes -> world.settings().wantsCase(setting(processes)))
                .toList();
        List<Side> sides = world.wanted(SIDES);
        List<Workers> all = new ArrayList<>();
        all.add(world.workers(sides, world.servers().first(1)));
        try {
            for (int processes : wanted) {
                while (all.size() < processes) {
                    all.add(world.newWorkers(
                            sides, ClientOptions.DEFAULTS, world.servers().first(1)));
                }
                run(world, sides, all.subList(0, processes));
            }
        } finally {
            all.forEach(Workers::close);
        }
    }

    private static void run(World world, List<Side> sides, List<Workers> processes) throws Exception {
        String setting = setting(processes.size());
        world.play(sides, (side, round) -> {
            List<Answer> answers = together(world, processes, side, round);
            world.add(NAME, setting, side, round, Metric.PAIRS, sum(answers, Metric.PAIRS));
            world.add(NAME, setting, side, round, Metric.SPREAD, Spread.of(answers));
            world.add(NAME, setting, side, round, Metric.INTRUDERS, sum(answers, Metric.INTRUDERS));
        });
        world.show(NAME, setting);
    }

    private static List<Answer> together(World world, List<Workers> all, Side side, int round) {
        Order order = HotOrder.of(world, 1, THREADS, round);
        List<Worker> processes = all.stream().map(workers -> workers.of(side)).toList();
        processes.forEach(process -> process.tell(order));
        return processes.stream().map(Worker::answer).toList();
    }

    private static double sum(List<Answer> answers, Metric metric) {
        return answers.stream().mapToDouble(answer -> answer.value(metric.key)).sum();
    }
}
