package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Workers;
import dev.holdfast.testkit.redis.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Free locks on nodes as distant as another machine of the same data centre. The scenario shows which optimizations pay
 * off there, and not only on the loopback interface.
 */
public final class AtADistance implements Scenario {

    public static final String NAME = "distance";

    private static final Duration ONE_WAY = Duration.ofNanos(250_000);
    private static final List<Side> ONE_NODE = List.of(Side.HOLDFAST, Side.RAW, Side.BARE_SCRIPTS, Side.REDISSON);
    private static final List<Side> FIVE_NODES =
            List.of(Side.HOLDFAST, Side.RAW, Side.BARE_SCRIPTS, Side.REDISSON_REDLOCK);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How fast are uncontended locks if the nodes are on other machines? Each byte takes a quarter of a millisecond longer in each"
                + " direction. Each thread acquires and releases its own lock.";
    }

    @Override
    public void run(World world) throws Exception {
        run(world, 1, ONE_NODE);
        run(world, 5, FIVE_NODES);
    }

    private static void run(World world, int nodes, List<Side> all) throws Exception {
        List<Integer> wanted = world.settings().size().threads().stream()
                .filter(threads -> world.settings().wantsCase(Uncontended.setting(nodes, threads)))
                .toList();
        if (wanted.isEmpty()) {
            return;
        }
        List<TcpProxy> proxies = new ArrayList<>();
        try {
            List<String> addresses = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                TcpProxy proxy = TcpProxy.to(world.servers().server(node));
                proxies.add(proxy);
                proxy.delay(ONE_WAY);
                addresses.add(proxy.uri().toString());
            }
            List<Side> sides = world.wanted(all);
            try (Workers workers = world.newWorkers(sides, ClientOptions.DEFAULTS, addresses)) {
                for (int threads : wanted) {
                    measure(world, sides, workers, Uncontended.setting(nodes, threads), threads);
                }
            }
        } finally {
            proxies.forEach(TcpProxy::close);
        }
    }

    private static void measure(World world, List<Side> sides, Workers workers, String setting, int threads)
            throws Exception {
        world.play(sides, (side, round) -> {
            Order order = Order.to(Task.OWN_LOCKS).with("threads", threads).with("seconds", world.seconds(round));
            Answer answer = workers.of(side).ask(order);
            world.add(NAME, setting, side, round, answer, Metric.PAIRS, Metric.P50, Metric.P99);
            world.add(NAME, setting, side, round, answer, Metric.CLIENT_CPU);
        });
        world.show(NAME, setting);
    }
}
