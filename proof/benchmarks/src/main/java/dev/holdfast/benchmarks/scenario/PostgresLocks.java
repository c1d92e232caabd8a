package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.PostgresServer;
import dev.holdfast.benchmarks.world.Workers;
import dev.holdfast.testkit.redis.TcpProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Locks in a PostgreSQL database, beside other libraries that keep locks there. */
public final class PostgresLocks implements Scenario {

    public static final String NAME = "postgresql";

    private static final List<Side> UNCONTENDED = List.of(
            Side.HOLDFAST,
            Side.POSTGRES_FLOOR,
            Side.POSTGRES_FLOOR_SMALL,
            Side.ADVISORY,
            Side.JDBC_REGISTRY,
            Side.SHEDLOCK);
    private static final List<Side> NOT_DURABLE =
            List.of(Side.HOLDFAST, Side.POSTGRES_FLOOR, Side.ADVISORY, Side.JDBC_REGISTRY, Side.SHEDLOCK);
    private static final List<Side> DISTANT = List.of(Side.HOLDFAST, Side.POSTGRES_FLOOR);
    private static final List<Side> HOT = List.of(Side.HOLDFAST, Side.ADVISORY, Side.JDBC_REGISTRY);
    private static final List<Side> COMMITS = List.of(Side.POSTGRES_FLOOR);
    private static final int HOT_THREADS = 8;
    private static final double LONGER = 2;
    private static final Duration ONE_WAY = Duration.ofNanos(250_000);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How fast are locks in a PostgreSQL database? Each thread acquires and releases its own lock, with synchronous_commit on or off."
                + " The server is on the same machine, or behind a proxy that delays each byte by a quarter of a millisecond in each direction."
                + " All threads of a process want one lock. And two clients hand a lock over to each other; the time of one commit is measured in the same rounds.";
    }

    /** Returns the name of the setting with this value of {@code synchronous_commit} and this many threads. */
    public static String setting(String commit, int threads) {
        return "commit " + commit + ", " + threads + (threads == 1 ? " thread" : " threads");
    }

    /** Returns the name of the same setting behind the delaying proxy. */
    public static String distant(int threads) {
        return setting("on", threads) + ", 0.5 ms away";
    }

    /** Returns the name of the setting in which all threads want one lock. */
    public static String hot() {
        return "commit on, one lock, " + HOT_THREADS + " threads";
    }

    /** Returns the name of the setting in which two clients hand a lock over. */
    public static String handOver() {
        return "commit on, hand-over, 2 clients";
    }

    /** Returns the name of the setting with the time of a commit. */
    public static String commit() {
        return "commit on, one INSERT";
    }

    @Override
    public void run(World world) throws Exception {
        Path directory = Files.createDirectories(Path.of("target", "postgresql").toAbsolutePath());
        try (PostgresServer server = PostgresServer.start(directory)) {
            uncontended(world, server, "on", UNCONTENDED);
            uncontended(world, server, "off", NOT_DURABLE);
            atADistance(world, server);
            hot(world, server);
            handOvers(world, server);
        }
    }

    private static void uncontended(World world, PostgresServer server, String commit, List<Side> all)
            throws Exception {
        List<Integer> wanted = world.settings().size().threads().stream()
                .filter(threads -> world.settings().wantsCase(setting(commit, threads) + ","))
                .toList();
        List<Side> sides = world.wanted(all);
        if (wanted.isEmpty() || sides.isEmpty()) {
            return;
        }
        try (Workers workers = world.newWorkers(sides, ClientOptions.DEFAULTS, List.of(server.uri(commit)))) {
            for (int threads : wanted) {
                ownLocks(world, server, workers, sides, setting(commit, threads), threads);
            }
        }
    }

    private static void atADistance(World world, PostgresServer server) throws Exception {
        List<Integer> wanted = world.settings().size().threads().stream()
                .filter(threads -> world.settings().wantsCase(distant(threads)))
                .toList();
        List<Side> sides = world.wanted(DISTANT);
        if (wanted.isEmpty() || sides.isEmpty()) {
            return;
        }
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port())) {
            proxy.delay(ONE_WAY);
            List<String> nodes = List.of(PostgresServer.uri(proxy.port(), "on"));
            try (Workers workers = world.newWorkers(sides, ClientOptions.DEFAULTS, nodes)) {
                for (int threads : wanted) {
                    ownLocks(world, server, workers, sides, distant(threads), threads);
                }
            }
        }
    }

    private static void ownLocks(
            World world, PostgresServer server, Workers workers, List<Side> sides, String setting, int threads)
            throws Exception {
        world.play(sides, (side, round) -> {
            Order order = Order.to(Task.OWN_LOCKS).with("threads", threads).with("seconds", world.seconds(round));
            double cpu = server.cpuMicros();
            double wal = server.walBytes();
            Answer answer = workers.of(side).ask(order);
            double pairs = answer.value(Metric.PAIRS.key) * world.seconds(round);
            world.add(NAME, setting, side, round, answer, Metric.PAIRS, Metric.P50, Metric.P99, Metric.CLIENT_CPU);
            world.add(NAME, setting, side, round, Metric.SERVER_CPU, (server.cpuMicros() - cpu) / pairs);
            world.add(NAME, setting, side, round, Metric.WAL, (server.walBytes() - wal) / pairs);
        });
        world.show(NAME, setting);
    }

    private static void hot(World world, PostgresServer server) throws Exception {
        List<Side> sides = world.wanted(HOT);
        if (!world.settings().wantsCase(hot()) || sides.isEmpty()) {
            return;
        }
        try (Workers workers = world.newWorkers(sides, ClientOptions.DEFAULTS, List.of(server.uri("on")))) {
            world.play(sides, (side, round) -> {
                Answer answer = workers.of(side).ask(HotOrder.of(world, 1, HOT_THREADS, round));
                world.add(NAME, hot(), side, round, answer, Metric.PAIRS, Metric.P50, Metric.P99, Metric.INTRUDERS);
            });
            world.show(NAME, hot());
        }
    }

    private static void handOvers(World world, PostgresServer server) throws Exception {
        List<Side> sides = world.wanted(HOT);
        if (!world.settings().wantsCase(handOver()) || sides.isEmpty()) {
            return;
        }
        List<String> nodes = List.of(server.uri("on"));
        try (Workers workers = world.newWorkers(sides, ClientOptions.DEFAULTS, nodes);
                Workers commits = world.newWorkers(COMMITS, ClientOptions.DEFAULTS, nodes)) {
            world.play(sides, (side, round) -> {
                Order order = Order.to(Task.HAND_OVER).with("hold", 0.02).with("seconds", world.seconds(round, LONGER));
                Answer answer = workers.of(side).ask(order);
                world.add(NAME, handOver(), side, round, answer, Metric.HAND_OVER_P50, Metric.HAND_OVER_P99);
                Order one = Order.to(Task.OWN_LOCKS).with("threads", 1).with("seconds", world.seconds(round));
                Answer commit = commits.of(Side.POSTGRES_FLOOR).ask(one);
                world.add(NAME, commit(), Side.POSTGRES_FLOOR, round, commit, Metric.P50, Metric.P99);
            });
            world.show(NAME, handOver());
            world.show(NAME, commit());
        }
    }
}
