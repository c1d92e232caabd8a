package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.benchmarks.world.Workers;
import dev.holdfast.testkit.redis.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** One of five nodes that is dead, stopped or slow; the other four are the same for all sides. */
public final class NodesUnwell implements Scenario {

    public static final String NAME = "nodes";

    private static final Duration DELAY = Duration.ofMillis(20);
    private static final int WELL = 4;
    private static final double LONGER = 2;
    private static final List<Side> SIDES = List.of(Side.HOLDFAST, Side.RAW, Side.REDISSON_REDLOCK);

    /** The state of the fifth node. */
    public enum Fifth {
        WELL("N = 5, all well"),
        DEAD("N = 5, one dead"),
        STOPPED("N = 5, one stopped"),
        SLOW("N = 5, one slow");

        /** The name of the setting. */
        public final String setting;

        Fifth(String setting) {
            this.setting = setting;
        }
    }

    private record Case(Fifth fifth, Side side) {

        @Override
        public String toString() {
            return side + ", " + fifth.setting;
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "What does an unhealthy node cost? One thread acquires a free lock at five nodes. One of them is killed (SIGKILL),"
                + " stopped (SIGSTOP), or 20 ms away in each direction.";
    }

    @Override
    public void run(World world) throws Exception {
        List<Side> sides = world.wanted(SIDES);
        Map<Fifth, Workers> workers = new EnumMap<>(Fifth.class);
        try (Servers more = Servers.start(2);
                TcpProxy proxy = TcpProxy.to(world.servers().server(WELL))) {
            try {
                for (Fifth fifth : world.settings().size().fifths()) {
                    if (world.settings().wantsCase(fifth.setting)) {
                        workers.put(fifth, workers(world, sides, fifth, nodes(world, fifth, more, proxy)));
                    }
                }
                measure(world, sides, workers, () -> {
                    more.server(0).kill();
                    more.server(1).pause();
                    proxy.delay(DELAY);
                });
            } finally {
                more.server(1).resume();
                proxy.pass();
                workers.values().forEach(Workers::close);
            }
        }
    }

    /** Returns the workers; if the fifth node is well, other scenarios share them. */
    private static Workers workers(World world, List<Side> sides, Fifth fifth, List<String> nodes) {
        return fifth == Fifth.WELL
                ? world.workers(sides, nodes)
                : world.newWorkers(sides, ClientOptions.DEFAULTS, nodes);
    }

    private static List<String> nodes(World world, Fifth fifth, Servers more, TcpProxy proxy) {
        String last = switch (fifth) {
            case WELL -> world.servers().first(WELL + 1).get(WELL);
            case DEAD -> more.first(2).get(0);
            case STOPPED -> more.first(2).get(1);
            case SLOW -> proxy.uri().toString();
        };
        return Stream.concat(world.servers().first(WELL).stream(), Stream.of(last))
                .toList();
    }

    /** Measures the sides. All are warm before a node is struck, and have adapted to the fault before a turn counts. */
    private static void measure(World world, List<Side> sides, Map<Fifth, Workers> workers, Runnable strike)
            throws Exception {
        List<Case> cases = new ArrayList<>();
        workers.keySet().forEach(fifth -> sides.forEach(side -> cases.add(new Case(fifth, side))));
        world.warmUp(cases, (one, round) -> ask(workers, one, world.seconds(round)));
        strike.run();
        world.play(cases, (one, round) -> {
            Answer answer = ask(workers, one, world.seconds(round, LONGER));
            world.add(NAME, one.fifth().setting, one.side(), round, answer, Metric.P50, Metric.P99, Metric.PAIRS);
        });
        workers.keySet().forEach(fifth -> world.show(NAME, fifth.setting));
    }

    private static Answer ask(Map<Fifth, Workers> workers, Case one, double seconds) {
        Order order = Order.to(Task.OWN_LOCKS).with("threads", 1).with("seconds", seconds);
        return Objects.requireNonNull(workers.get(one.fifth())).of(one.side()).ask(order);
    }
}
