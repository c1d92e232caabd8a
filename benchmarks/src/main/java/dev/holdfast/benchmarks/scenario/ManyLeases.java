package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Worker;
import dev.holdfast.benchmarks.world.Workers;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** One client holds many locks and extends them. One round: it takes as long as it takes for every lock to be extended once. */
public final class ManyLeases implements Scenario {

    public static final String NAME = "leases";

    private static final List<Side> SIDES = List.of(Side.HOLDFAST, Side.REDISSON);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "What does it cost to hold many leases, all extended every 10 s? Heap after garbage collection; processor time and"
                + " scripts over 10 s in which all are extended once.";
    }

    /** What figures of so many leases are found under. */
    public static String setting(int leases) {
        return String.format(Locale.ROOT, "N = 1, %,d leases", leases);
    }

    @Override
    public void run(World world) throws Exception {
        for (int leases : world.settings().size().leases()) {
            String setting = setting(leases);
            if (world.settings().wantsCase(setting)) {
                world.play(world.wanted(SIDES), 1, 1, (side, round) -> measure(world, setting, side, leases));
                world.show(NAME, setting);
            }
        }
    }

    private static void measure(World world, String setting, Side side, int leases) throws InterruptedException {
        try (Workers workers = world.workers(List.of(side), world.servers().first(1))) {
            double seconds = world.settings().size().leasesSeconds();
            Worker worker = workers.of(side);
            Answer held = worker.ask(Order.to(Task.MANY_LEASES).with("leases", leases));
            TimeUnit.NANOSECONDS.sleep(
                    (long) (seconds * 1e9)); // threads that helped to acquire them end once they are idle
            ServerTime before = ServerTime.of(world.servers(), 1);
            Answer extended = worker.ask(Order.to(Task.OBSERVE).with("seconds", seconds));
            double scripts = ServerTime.of(world.servers(), 1).scriptsSince(before);
            world.add(NAME, setting, side, 1, held, Metric.LEASE_BYTES, Metric.THREADS_ONE);
            world.add(NAME, setting, side, 1, extended, Metric.THREADS_ALL, Metric.CPU);
            world.add(NAME, setting, side, 1, Metric.REQUESTS, scripts / seconds);
            worker.kill(); // to give all back would take as long as to get them
        }
        world.servers().sweep();
    }
}
