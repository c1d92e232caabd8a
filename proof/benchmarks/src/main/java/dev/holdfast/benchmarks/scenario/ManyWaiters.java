package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Worker;
import dev.holdfast.benchmarks.world.Workers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One lock with a long queue. */
public final class ManyWaiters implements Scenario {

    public static final String NAME = "waiters";

    private static final int SHORT_LINE = 10;
    private static final int LONG_LINE = 10_000;
    private static final List<Side> SIDES =
            List.of(Side.HOLDFAST, Side.HOLDFAST_AT_NODES, Side.REDISSON, Side.REDISSON_FAIR);
    private static final double WARM_UP_SECONDS = 1.5;
    private static final double LONGER = 2;
    private static final int MOST_ROUNDS = 3; // forming a long queue takes longer than measuring it

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "What does a hand-over cost with many waiters? They wait without threads. A waiter that gets the lock releases it at once"
                + " and queues again.";
    }

    /** Returns the name of the setting with this many waiters. */
    public static String setting(int waiters) {
        return String.format(Locale.ROOT, "N = 1, %,d waiters", waiters);
    }

    private record Line(Side side, int waiters) {}

    /** Measures all queue lengths in turns too, since they are compared with each other. */
    @Override
    public void run(World world) throws Exception {
        List<Line> lines = new ArrayList<>();
        for (int waiters : world.settings().size().waiters()) {
            for (Side side : world.wanted(SIDES)) {
                if (world.settings().wantsCase(setting(waiters))) {
                    lines.add(new Line(side, waiters));
                }
            }
        }
        world.count(lines, world.rounds(MOST_ROUNDS), (line, round) -> measure(world, line, round));
        lines.stream().map(Line::waiters).distinct().forEach(waiters -> world.show(NAME, setting(waiters)));
    }

    /**
     * Measures one queue in a process of its own. A shorter queue warms it up; at the end it is killed with all
     * waiters.
     */
    private static void measure(World world, Line line, int round) throws Exception {
        Side side = line.side();
        try (Workers workers = world.newWorkers(
                List.of(side), ClientOptions.DEFAULTS, world.servers().first(1))) {
            Worker worker = workers.of(side);
            worker.ask(order(
                    "warm-up",
                    SHORT_LINE,
                    Math.min(WARM_UP_SECONDS, world.settings().warmUp()),
                    world.room()));
            Answer answer = worker.ask(order("line", line.waiters(), world.seconds(round, LONGER), world.room()));
            world.add(NAME, setting(line.waiters()), side, round, answer, Metric.COST, Metric.INTRUDERS);
            worker.kill();
        }
    }

    private static Order order(String lock, int waiters, double seconds, Path room) {
        return Order.to(Task.MANY_WAITERS)
                .with("waiters", waiters)
                .with("lock", lock)
                .with("settle", waiters >= LONG_LINE ? 2 : 0.5)
                .with("seconds", seconds)
                .with("room", room);
    }
}
