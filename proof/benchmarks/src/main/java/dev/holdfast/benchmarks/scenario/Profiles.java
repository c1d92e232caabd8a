package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Figure;
import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Workers;
import java.util.List;
import java.util.Map;

/** A profile of the client's processor time, for developers who want to reduce it. */
public final class Profiles implements Scenario {

    public static final String NAME = "profile";

    private static final double LONGER = 15; // a few hundred samples

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "In which code does Holdfast's client use the processor? Flight Recorder takes a sample every 10 ms. Each sample counts for the first"
                + " caller outside the JDK. `sockets` stands for the system calls. Samples do not show the cost of threads that wake each other. The floor, which only sends requests, is beside it.";
    }

    @Override
    public void run(World world) throws Exception {
        for (int nodes : List.of(1, 5)) {
            for (Side side : world.wanted(List.of(Side.HOLDFAST, Side.RAW))) {
                Order free = Order.to(Task.OWN_LOCKS).with("threads", 8);
                profile(world, side, nodes, free, side.title + ", " + Uncontended.setting(nodes, 8));
            }
        }
        for (Side side : world.wanted(List.of(Side.HOLDFAST, Side.HOLDFAST_AT_NODES))) {
            Order hot = HotOrder.of(world, 1, 8, 1);
            profile(world, side, 1, hot, side.title + ", hot lock, " + HotInOneProcess.setting(8));
        }
    }

    private static void profile(World world, Side side, int nodes, Order order, String setting) throws Exception {
        if (!world.settings().wantsCase(setting)) {
            return;
        }
        Workers workers = world.workers(List.of(side), world.servers().first(nodes));
        world.warmUp(List.of(side), (who, round) -> workers.of(who).ask(order.with("seconds", world.seconds(round))));
        Answer shares = workers.of(side)
                .ask(new Order(Task.PROFILE.name(), order.parameters())
                        .with("of", order.work())
                        .with("seconds", LONGER * world.settings().seconds()));
        shares.values().entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(share -> world.figures()
                        .add(new Figure(NAME, setting, share.getKey(), Metric.SHARE, 1, share.getValue())));
        world.show(NAME, setting);
    }
}
