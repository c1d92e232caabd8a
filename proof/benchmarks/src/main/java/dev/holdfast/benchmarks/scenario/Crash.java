package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Worker;
import dev.holdfast.benchmarks.world.Workers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A kill of the holder's process while another process waits. */
public final class Crash implements Scenario {

    public static final String NAME = "crash";

    private static final ClientOptions OPTIONS = new ClientOptions(2_000);
    private static final int MOST_ROUNDS = 3; // each takes seconds of waiting
    private static final List<Side> ONE_NODE = List.of(Side.HOLDFAST, Side.REDISSON, Side.REDISSON_FAIR, Side.SPRING);
    private static final List<Side> THREE_NODES = List.of(Side.HOLDFAST, Side.REDISSON_REDLOCK);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "A holder that extends its lease is killed (SIGKILL): how long until another process has the lock?"
                + " The ttl is 2 s (Redisson's lockWatchdogTimeout, Spring's expireAfter, which it never extends), so up to 2 s is expected.";
    }

    /** Returns the name of the setting with this many nodes. */
    public static String setting(int nodes) {
        return "N = " + nodes + ", ttl 2 s";
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
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Workers waiters = world.newWorkers(sides, OPTIONS, world.servers().first(nodes))) {
            for (int round = 1; round <= world.rounds(MOST_ROUNDS); round++) {
                world.servers().sweep();
                try (Workers holders =
                        world.newWorkers(sides, OPTIONS, world.servers().first(nodes))) {
                    takeOver(world, nodes, sides, round, holders, waiters, threads);
                }
            }
            world.show(NAME, setting);
        } finally {
            threads.shutdown();
        }
    }

    /** Measures all sides concurrently, since they do almost nothing but wait. */
    private static void takeOver(
            World world,
            int nodes,
            List<Side> sides,
            int round,
            Workers holders,
            Workers waiters,
            ExecutorService threads)
            throws Exception {
        Map<Side, Future<Double>> all = new LinkedHashMap<>();
        for (Side side : sides) {
            String lock = "crash-" + side.name() + "-" + round;
            all.put(side, threads.submit(() -> takeOver(holders.of(side), waiters.of(side), lock)));
        }
        for (Map.Entry<Side, Future<Double>> one : all.entrySet()) {
            double millis = one.getValue().get();
            world.add(NAME, setting(nodes), one.getKey(), round, Metric.TAKE_OVER, millis);
        }
    }

    /** Measures one takeover. The holder is killed at a random moment between two extensions. */
    private static double takeOver(Worker holder, Worker waiter, String lock) throws InterruptedException {
        holder.ask(Order.to(Task.HOLD_ONE).with("lock", lock));
        waiter.tell(Order.to(Task.HOLD_ONE).with("lock", lock));
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(700, 1_400));
        long start = System.nanoTime();
        holder.kill();
        waiter.answer();
        return (System.nanoTime() - start) / 1e6;
    }
}
