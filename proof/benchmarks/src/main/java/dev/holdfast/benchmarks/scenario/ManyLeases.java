package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One client that holds many locks and extends them. There is one round, which takes as long as the extension of every
 * lock.
 */
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

    /** Returns the name of the setting with this many leases. */
    public static String setting(int leases) {
        return String.format(Locale.ROOT, "N = 1, %,d leases", leases);
    }

    /** One client with its leases, at a server of its own, so that clients hardly slow each other down. */
    private record Holder(Side side, int leases, int server, Worker worker) {}

    @Override
    public void run(World world) throws Exception {
        world.servers().sweep();
        List<Holder> holders = new ArrayList<>();
        try {
            for (int leases : world.settings().size().leases()) {
                for (Side side : world.wanted(SIDES)) {
                    if (world.settings().wantsCase(setting(leases))) {
                        int server = holders.size();
                        List<String> node =
                                List.of(world.servers().server(server).uri().toString());
                        holders.add(new Holder(
                                side, leases, server, world.pool().start(side, ClientOptions.DEFAULTS, node)));
                    }
                }
            }
            measure(world, holders);
            holders.forEach(holder -> holder.worker().kill()); // a release takes as long as the acquisition
        } finally {
            holders.forEach(holder -> holder.worker().close());
        }
        holders.stream().map(Holder::leases).distinct().forEach(leases -> world.show(NAME, setting(leases)));
        world.servers().sweep();
    }

    /** Lets the clients acquire their leases one after the other, and extend them concurrently. */
    private static void measure(World world, List<Holder> holders) throws InterruptedException {
        double seconds = world.settings().size().leasesSeconds();
        for (Holder holder : holders) {
            Answer held = holder.worker().ask(Order.to(Task.MANY_LEASES).with("leases", holder.leases()));
            world.add(NAME, setting(holder.leases()), holder.side(), 1, held, Metric.LEASE_BYTES, Metric.THREADS_ONE);
        }
        TimeUnit.NANOSECONDS.sleep(
                (long) (seconds * 1e9)); // threads that helped to acquire them end once they are idle
        List<ServerTime> before = holders.stream()
                .map(holder -> ServerTime.at(world.servers(), holder.server()))
                .toList();
        holders.forEach(holder -> holder.worker().tell(Order.to(Task.OBSERVE).with("seconds", seconds)));
        for (Holder holder : holders) {
            Answer extended = holder.worker().answer();
            double scripts = ServerTime.at(world.servers(), holder.server()).scriptsSince(before.get(holder.server()));
            world.add(NAME, setting(holder.leases()), holder.side(), 1, extended, Metric.THREADS_ALL, Metric.CPU);
            world.add(NAME, setting(holder.leases()), holder.side(), 1, Metric.REQUESTS, scripts / seconds);
        }
    }
}
