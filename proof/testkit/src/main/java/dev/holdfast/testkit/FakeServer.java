package dev.holdfast.testkit;

import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.ResourceState;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/**
 * One server of a {@link FakeCluster}: a memory node on a machine of its own, which can crash and lose its state. For
 * one thread.
 */
public final class FakeServer {

    private static final String LOOKER = "looker~00000000";

    private final String name;
    private final ManualMachine machine;
    private final long fenceRetentionMillis;
    private static final String REFUSED = "connection refused";

    private final List<Connection> connections = new ArrayList<>();
    private int lives;
    private boolean stopped;
    private MemoryNode memory;

    /** A client's connection, with the quarantine that the client's settings demand. */
    private record Connection(FaultyNode node, LongUnaryOperator quarantineMillis) {}

    FakeServer(String name, ManualMachine machine, long fenceRetentionMillis) {
        this.name = name;
        this.machine = machine;
        this.fenceRetentionMillis = fenceRetentionMillis;
        this.memory = born();
    }

    private MemoryNode born() {
        return new MemoryNode(name + "-" + ++lives, byWallClock(machine.timing()), fenceRetentionMillis);
    }

    /**
     * Returns a timing in which expiry follows the wall clock, as in Redis. A step of that clock ends keys early or
     * late.
     */
    private static Timing byWallClock(Timing timing) {
        Ticker ticker = timing.ticker();
        return new Timing(
                new Ticker() {
                    @Override
                    public long nanos() {
                        return TimeUnit.MILLISECONDS.toNanos(ticker.wallMillis());
                    }

                    @Override
                    public long wallMillis() {
                        return ticker.wallMillis();
                    }
                },
                timing.scheduler(),
                timing.random());
    }

    /** Returns a client's connection to the server, with faults. */
    FaultyNode connect(ManualMachine network, NodeContext context) {
        FaultyNode node = new FaultyNode(
                "fake:" + name, network.timing(), context.listener(), fresh -> memory.connect(context.client(), fresh));
        connections.add(new Connection(node, context.times().quarantineMillis()));
        if (stopped) {
            node.disconnect(REFUSED);
        }
        return node;
    }

    /** Returns its machine, whose wall clock expires the server's state. */
    public ManualMachine machine() {
        return machine;
    }

    /** Stops the server: it closes every connection, and accepts none until it is started again. */
    public void stop() {
        stopped = true;
        connections.forEach(connection -> connection.node.disconnect(REFUSED));
    }

    /** Starts the server again with the state that it had. */
    public void start() {
        stopped = false;
        connections.forEach(connection -> connection.node.reconnect());
    }

    /** Starts the server without its state. Each client quarantines it for as long as the client's settings say. */
    public void startEmpty() {
        startEmpty(connection -> connection.quarantineMillis);
    }

    /** Starts the server without its state. Clients quarantine it for {@code quarantine}. */
    public void startEmpty(Duration quarantine) {
        startEmpty(connection -> ttlMillis -> quarantine.toMillis());
    }

    private void startEmpty(Function<Connection, LongUnaryOperator> quarantine) {
        stopped = false;
        memory = born();
        connections.forEach(connection -> {
            connection.node.quarantine(quarantine.apply(connection));
            connection.node.reconnect();
        });
    }

    /** Returns its state of a resource. */
    public ResourceState state(String resource) {
        NodeListener nobody = new RecordingListener();
        try (LockNode looker = memory.connect(LOOKER, nobody)) {
            InspectAnswer answer =
                    looker.inspect(resource).toCompletableFuture().join();
            return (ResourceState) answer;
        }
    }

    /** Returns the number of resources that use memory. */
    public int size() {
        return memory.size();
    }

    @Override
    public String toString() {
        return name;
    }
}
