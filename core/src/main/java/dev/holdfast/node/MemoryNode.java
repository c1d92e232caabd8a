package dev.holdfast.node;

import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node in this process: a {@link LockTable} on this machine's wall clock. Thread-safe.
 *
 * <p>For tests, and for locks among the threads of one process. Its memory ends with it.
 */
public final class MemoryNode {

    private static final long SWEEP_NANOS = 60_000_000_000L;

    private final String id;
    private final Timing timing;
    private final LockTable table;
    private final Map<String, Connection> connections = new ConcurrentHashMap<>();
    private @Nullable Timer sweeper;

    /**
     * An empty node.
     *
     * @param id what tells it from every other node
     * @param timing its clock, and what its pushes run on
     * @param fenceRetentionMillis how long it remembers a fence after its last use
     */
    public MemoryNode(String id, Timing timing, long fenceRetentionMillis) {
        this.id = id;
        this.timing = timing;
        this.table = new LockTable(fenceRetentionMillis, timing.ticker().wallMillis());
    }

    /**
     * A client's view of this node.
     *
     * @param client the client part of its owner ids; a later view of the same client takes the pushes over
     * @param listener told of pushes on worker threads
     */
    public LockNode connect(String client, NodeListener listener) {
        Connection connection = new Connection(client, listener);
        connections.put(client, connection);
        timing.scheduler().execute(() -> listener.available(id));
        return connection;
    }

    /** How many resources take up memory, those that have expired left out. */
    public int size() {
        synchronized (table) {
            table.sweep(timing.ticker().wallMillis());
            return table.size();
        }
    }

    private <T> T on(TableStep<T> step) {
        List<Push> pushes = new ArrayList<>(0);
        T answer;
        synchronized (table) {
            answer = step.apply(table, timing.ticker().wallMillis(), pushes);
            sweepLater();
        }
        for (Push push : pushes) {
            Connection connection = connections.get(push.owner().client());
            if (connection != null) {
                timing.scheduler().execute(() -> push.deliverTo(connection.listener));
            }
        }
        return answer;
    }

    private void sweepLater() {
        if (sweeper == null && table.size() > 0) {
            sweeper = timing.scheduler().schedule(SWEEP_NANOS, this::sweep);
        }
    }

    private void sweep() {
        synchronized (table) {
            table.sweep(timing.ticker().wallMillis());
            sweeper = null;
            sweepLater();
        }
    }

    @FunctionalInterface
    private interface TableStep<T> {
        T apply(LockTable table, long now, List<Push> pushes);
    }

    private final class Connection implements LockNode {

        private final String client;
        private final NodeListener listener;
        private volatile boolean closed;

        Connection(String client, NodeListener listener) {
            this.client = client;
            this.listener = listener;
        }

        @Override
        public String name() {
            return "memory:" + id;
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
            return answer(() -> on((table, now, pushes) -> table.acquire(request, now, pushes::add)));
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
            return answer(() -> on((table, now, pushes) -> table.release(request, now, pushes::add)));
        }

        @Override
        public CompletionStage<InspectAnswer> inspect(String resource) {
            return answer(() -> on((table, now, pushes) -> table.inspect(resource, now)));
        }

        @Override
        public CompletionStage<ListAnswer> list(String prefix, int limit) {
            return answer(() -> on((table, now, pushes) -> table.list(prefix, limit, now)));
        }

        @Override
        public CompletionStage<NodeStatus> status() {
            NodeStatus status = closed
                    ? NodeStatus.unreachable(name(), NodeStatus.State.DOWN, CLOSED.reason())
                    : new NodeStatus(name(), NodeStatus.State.UP, "", id, "memory", -1, 0, 0L, 0, List.of());
            return CompletableFuture.completedStage(status);
        }

        @Override
        public void close() {
            closed = true;
            connections.remove(client, this);
        }

        @SuppressWarnings("unchecked") // Unavailable is an answer of every kind
        private <T> CompletionStage<T> answer(Supplier<? extends T> step) {
            return CompletableFuture.completedStage(closed ? (T) CLOSED : step.get());
        }
    }

    private static final Unavailable CLOSED = new Unavailable("closed", false);
}
