package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.EtcdProcess;
import dev.holdfast.benchmarks.world.ServerProcess;
import dev.holdfast.benchmarks.world.Worker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** Locks over HTTP, as programs in languages other than Java use them. */
public final class LockServers implements Scenario {

    public static final String NAME = "server";

    private static final List<Side> SIDES =
            List.of(Side.HOLDFAST, Side.HOLDFAST_SERVER, Side.HOLDFAST_SESSION, Side.HOLDFAST_SERVER_MEMORY, Side.ETCD);
    private static final int MOST_WAITERS = 1_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How fast are uncontended locks over HTTP and JSON, or over WebSocket in a session? Each client acquires and releases its own lock on its own connection."
                + " The lock server is in front of one Redis, or uses its embedded node, in memory. The table also has etcd's lock (one member, one round trip of its JSON gateway each for lock and unlock),"
                + " and the library on the same Redis, without a server in between. Clients over HTTP are one process with the JDK's client; the library multiplexes one connection."
                + " And how much of the server's heap does a waiting request take, or an idle session that holds a lock?";
    }

    /** Returns the name of the setting with this many clients. */
    public static String setting(int clients) {
        return "N = 1, " + clients + (clients == 1 ? " client" : " clients");
    }

    /** Returns the name of the setting with this many waiting requests. */
    public static String waiting(int waiters) {
        return String.format(Locale.ROOT, "N = 1, %,d waiting requests", waiters);
    }

    /** Returns the name of the setting with this many idle sessions. */
    public static String idle(int sessions) {
        return String.format(Locale.ROOT, "N = 1, %,d idle sessions", sessions);
    }

    /**
     * The server that clients of a side use, its costs so far, and the work of its compiler; etcd and Redis have none.
     */
    private record Place(List<String> nodes, DoubleSupplier cpuMicros, LongSupplier compilerMillis) {}

    @Override
    public void run(World world) throws Exception {
        List<Side> sides = new ArrayList<>(world.wanted(SIDES));
        if (sides.contains(Side.ETCD) && EtcdProcess.version().isEmpty()) {
            System.out.println("etcd is not on this machine, and not measured");
            sides.remove(Side.ETCD);
        }
        pairs(world, sides);
        waiters(world, sides);
        idleSessions(world, sides);
    }

    private static void pairs(World world, List<Side> sides) throws Exception {
        List<Integer> wanted = world.settings().size().threads().stream()
                .filter(clients -> world.settings().wantsCase(setting(clients)))
                .toList();
        if (wanted.isEmpty()) {
            return;
        }
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            Map<Side, Place> places = new EnumMap<>(Side.class);
            Map<Side, Worker> workers = new EnumMap<>(Side.class);
            for (Side side : sides) {
                Place place = place(world, side, open);
                Worker worker = world.pool().start(side, ClientOptions.DEFAULTS, place.nodes());
                open.push(worker);
                places.put(side, place);
                workers.put(side, worker);
            }
            for (int clients : wanted) {
                world.play(
                        sides,
                        (side, round) -> measure(
                                world,
                                clients,
                                side,
                                round,
                                Objects.requireNonNull(places.get(side)),
                                Objects.requireNonNull(workers.get(side))));
                world.show(NAME, setting(clients));
            }
        } finally {
            for (AutoCloseable one : open) {
                one.close();
            }
        }
    }

    private static Place place(World world, Side side, Deque<AutoCloseable> open) throws InterruptedException {
        DoubleSupplier redis = () -> ServerTime.of(world.servers(), 1).cpuMicros();
        if (side == Side.HOLDFAST) {
            return new Place(world.servers().first(1), redis, () -> 0);
        }
        if (side == Side.ETCD) {
            EtcdProcess etcd = EtcdProcess.start(world.directory().resolve("etcd.log"));
            open.push(etcd);
            return new Place(List.of(etcd.uri().toString()), etcd::cpuMicros, () -> 0);
        }
        ServerProcess server = server(world, side);
        open.push(server);
        DoubleSupplier cpu = side == Side.HOLDFAST_SERVER_MEMORY
                ? server::cpuMicros
                : () -> server.cpuMicros() + redis.getAsDouble();
        return new Place(List.of(server.uri().toString()), cpu, server::compilerMillis);
    }

    private static ServerProcess server(World world, Side side) {
        List<String> nodes = side == Side.HOLDFAST_SERVER_MEMORY
                ? List.of("memory:")
                : world.servers().first(1);
        return ServerProcess.start(nodes, world.directory().resolve("server.log"));
    }

    private static void measure(World world, int clients, Side side, int round, Place place, Worker worker) {
        String setting = setting(clients);
        Order order = Order.to(Task.OWN_LOCKS).with("threads", clients).with("seconds", world.seconds(round));
        long compiledBefore = place.compilerMillis().getAsLong();
        double before = place.cpuMicros().getAsDouble();
        Answer answer = worker.ask(order);
        double pairs = answer.value(Metric.PAIRS.key) * world.seconds(round);
        double micros = place.cpuMicros().getAsDouble() - before;
        double compiledSeconds = (place.compilerMillis().getAsLong() - compiledBefore) / 1e3;
        world.pool().compiling(compiledSeconds / world.seconds(round));
        world.add(NAME, setting, side, round, answer, Metric.PAIRS, Metric.P50, Metric.P99, Metric.CLIENT_CPU);
        world.add(NAME, setting, side, round, Metric.SERVER_CPU, micros / pairs);
    }

    private static void waiters(World world, List<Side> sides) throws Exception {
        int waiters = world.settings().size().waiters().stream()
                .filter(count -> count <= MOST_WAITERS)
                .max(Integer::compare)
                .orElseThrow();
        String setting = waiting(waiters);
        List<Side> servers = sides.stream()
                .filter(side -> side == Side.HOLDFAST_SERVER || side == Side.HOLDFAST_SERVER_MEMORY)
                .toList();
        if (!world.settings().wantsCase(setting) || servers.isEmpty()) {
            return;
        }
        world.count(servers, world.settings().rounds(), (side, round) -> {
            try (ServerProcess server = server(world, side)) {
                double bytes = WaitingRequests.bytesEach(server, waiters);
                world.add(NAME, setting, side, round, Metric.WAITER_BYTES, bytes);
            }
        });
        world.show(NAME, setting);
    }

    private static void idleSessions(World world, List<Side> sides) throws Exception {
        int sessions = world.settings().size().waiters().stream()
                .filter(count -> count <= MOST_WAITERS)
                .max(Integer::compare)
                .orElseThrow();
        String setting = idle(sessions);
        if (!world.settings().wantsCase(setting) || !sides.contains(Side.HOLDFAST_SESSION)) {
            return;
        }
        List<Side> one = List.of(Side.HOLDFAST_SESSION);
        world.count(one, world.settings().rounds(), (side, round) -> {
            try (ServerProcess server = server(world, side)) {
                world.add(NAME, setting, side, round, Metric.SESSION_BYTES, IdleSessions.bytesEach(server, sessions));
            }
        });
        world.show(NAME, setting);
    }
}
