package dev.holdfast.sample.stage;

import dev.holdfast.Holdfast;
import dev.holdfast.redis.process.FleetNode;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.redis.process.RedisFleet;
import dev.holdfast.server.LockServer;
import dev.holdfast.time.Timing;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Everything that runs: a PostgreSQL, Redis nodes, the lock server in front of them for its page, and three instances
 * of the order service in processes of their own. Nothing outlives this JVM, however it ends. Thread-safe.
 */
public final class Stage implements AutoCloseable {

    /** The number of instances of the order service. */
    public static final int INSTANCES = 3;

    private final Settings settings;
    private final Timing timing = Timing.system("sample");
    private final Deque<Runnable> endings = new ArrayDeque<>();
    private final List<Instance> instances = new CopyOnWriteArrayList<>();
    private List<FleetNode> nodes = List.of();
    private @Nullable Database database;
    private @Nullable LockServer server;
    private volatile boolean closing;

    public Stage(Settings settings) {
        this.settings = settings;
    }

    /**
     * Starts everything, and returns when every instance answers.
     *
     * @throws StageException if something does not start; the rest is ended by {@link #close}
     */
    public synchronized void start() {
        Ports.requireFree(settings);
        RunFolder folder = RunFolder.take(settings.folder());
        endings.push(folder::close);
        endings.push(timing.scheduler()::close);
        Database postgres = Database.start(folder.path().resolve("postgres"));
        database = postgres;
        endings.push(postgres::close);
        startNodes(folder);
        server = LockServer.builder()
                .port(settings.dashboard())
                .auditLog(folder.path().resolve("audit.log"))
                .client(Holdfast.builder().clientName("lock-server").nodes(nodeUris()))
                .start();
        endings.push(server::close);
        startInstances(folder, postgres);
    }

    private void startNodes(RunFolder folder) {
        RedisFleet fleet = RedisFleet.in(folder.path().resolve("nodes"));
        endings.push(fleet::down);
        nodes = fleet.up(settings.nodes());
        nodes.forEach(node -> ProcessHandle.of(node.pid()).ifPresent(OsProcess::endingWithThisJvm));
    }

    private void startInstances(RunFolder folder, Database postgres) {
        endings.push(() -> Instance.close(instances));
        for (int i = 0; i < INSTANCES && !closing; i++) {
            Instance instance = new Instance(
                    "orders-" + (i + 1),
                    settings.port() == 0 ? FreePort.pick() : settings.port() + i,
                    folder.path(),
                    properties(postgres),
                    timing.scheduler());
            instances.add(instance);
            instance.start();
        }
        instances.forEach(Instance::awaitReady);
    }

    private List<String> properties(Database postgres) {
        List<String> properties = new ArrayList<>(settings.properties());
        properties.add("spring.datasource.url=" + postgres.url());
        properties.add("holdfast.nodes=" + String.join(",", nodeUris()));
        return properties;
    }

    /** Starts to place orders, at the rate of the settings. */
    public synchronized void startLoad() {
        if (settings.rate() > 0 && !closing) {
            Load load = new Load(instances, settings.rate());
            endings.push(load::close);
            timing.scheduler().start("load", load);
        }
    }

    public List<Instance> instances() {
        return List.copyOf(instances);
    }

    /** Returns the Redis servers as of their start. */
    public List<FleetNode> nodes() {
        return nodes;
    }

    /** Returns the addresses of the Redis servers. */
    public List<String> nodeUris() {
        return nodes.stream().map(node -> node.uri().toString()).toList();
    }

    public Database database() {
        return Objects.requireNonNull(database, "not started");
    }

    /** Returns the address of the lock server's page. */
    public URI dashboard() {
        return Objects.requireNonNull(server, "not started").uri();
    }

    /** Returns whether {@link #close} was called. */
    public boolean isClosing() {
        return closing;
    }

    /** Ends everything that was started, in reverse order, and deletes its files. Further calls have no effect. */
    @Override
    public void close() {
        closing = true;
        instances.forEach(Instance::giveUp);
        end();
    }

    private synchronized void end() {
        while (!endings.isEmpty()) {
            endings.pop().run();
        }
    }
}
