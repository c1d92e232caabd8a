package dev.holdfast.node;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node in this process: a {@link LockTable} on this machine's clocks. Thread-safe.
 *
 * <p>For tests, for locks among the threads of one process, and as the node of a lock server. Its memory ends with it; with {@link Promises}
 * it knows of that after a restart, and does not vote until all votes that it has forgotten have ended.
 *
 * <p>Its clock goes on from the wall clock's time at its start by the monotonic clock, so that setting the machine's clock ends no vote early.
 */
public final class MemoryNode {

    private static final System.Logger LOG = System.getLogger(MemoryNode.class.getName());
    private static final long SWEEP_NANOS = 60_000_000_000L;

    private final String name;
    private final String id;
    private final Timing timing;
    private final LockTable table;
    private final @Nullable Promises promises;
    private final long startWallMillis;
    private final long startNanos;
    private final long countedFromMillis;
    private final Map<String, Connection> connections = new ConcurrentHashMap<>();
    private @Nullable Timer sweeper;
    private volatile boolean settled;

    /** Whether the last promise that was written down could be. */
    private volatile boolean writes = true;

    /**
     * An empty node, whose memory ends with it.
     *
     * @param id what tells it from every other node
     * @param timing its clock, and what its pushes run on
     * @param fenceRetentionMillis how long it remembers a fence after its last use
     */
    public MemoryNode(String id, Timing timing, long fenceRetentionMillis) {
        this("memory:" + id, id, timing, fenceRetentionMillis, null);
    }

    /**
     * An empty node that knows what earlier runs have promised: it does not vote as long as their votes may last, gives no fence of theirs again, and has
     * their seals. It answers after what it promises has been written down.
     *
     * @param name what people call it
     * @param id what tells this run of it from every other node and run
     * @param timing its clock, and what its pushes run on
     * @param fenceRetentionMillis how long it remembers a fence after its last use
     * @param promises null if it is to know nothing of earlier runs
     */
    public MemoryNode(String name, String id, Timing timing, long fenceRetentionMillis, @Nullable Promises promises) {
        this.name = name;
        this.id = id;
        this.timing = timing;
        this.promises = promises;
        this.startWallMillis = timing.ticker().wallMillis();
        this.startNanos = timing.ticker().nanos();
        long quarantineMillis = promises == null ? 0 : promises.remainingMillis();
        this.countedFromMillis = startWallMillis + quarantineMillis;
        this.table = new LockTable(fenceRetentionMillis, countedFromMillis);
        if (promises != null) {
            table.neverBelow(promises.fence());
            promises.seals().forEach(this::restore);
        }
        if (quarantineMillis > 0) {
            timing.scheduler().schedule(TimeUnit.MILLISECONDS.toNanos(quarantineMillis), this::tellAll);
        }
    }

    private void restore(Promises.SealedResource one) {
        OwnerId.parse(one.seal().by())
                .ifPresent(by -> table.release(
                        new ReleaseRequest(one.resource(), by, 0, one.seal()), startWallMillis, push -> {}));
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
        listener.identified(id);
        timing.scheduler().execute(() -> listener.available(id));
        return connection;
    }

    /** What tells this run of the node from every other one. */
    public String id() {
        return id;
    }

    /** How long the node does not vote since earlier runs have promised votes that it has forgotten, 0 if it votes. */
    public long quarantineMillis() {
        return Math.max(countedFromMillis - nowMillis(), 0);
    }

    /** How long it has run. */
    public long uptimeMillis() {
        return nowMillis() - startWallMillis;
    }

    /** Those who wait should ask now. */
    private void tellAll() {
        connections.values().forEach(connection -> connection.listener.available(id));
    }

    private long nowMillis() {
        return startWallMillis + TimeUnit.NANOSECONDS.toMillis(timing.ticker().nanos() - startNanos);
    }

    /** How many resources take up memory, those that have expired left out. */
    public int size() {
        synchronized (table) {
            table.sweep(nowMillis());
            return table.size();
        }
    }

    /** Gives no vote any more, and writes down how long those last that are there: with none, its next run votes at once. Harmless more than once. */
    public void settle() {
        synchronized (table) {
            if (promises == null || settled) {
                return;
            }
            settled = true;
            long now = nowMillis();
            long last = Math.max(table.lastVoteMillis(now), countedFromMillis);
            promises.settle(last - now, table.highestFence());
        }
    }

    /** One step at the table; answered once what it promises is written down. */
    private <T> CompletionStage<T> on(
            T unwritten, String resource, Promises.@Nullable SealedResource toSeal, TableStep<T> step) {
        List<Push> pushes = new ArrayList<>(0);
        T answer;
        CompletionStage<Void> kept = null;
        synchronized (table) {
            if (settled) {
                return CompletableFuture.completedFuture(unwritten);
            }
            long now = nowMillis();
            answer = step.apply(table, now, pushes);
            if (promises != null) {
                // an answer that tells of a seal promises it as well: the write that came with the seal may be under
                // way, or have failed
                Promises.SealedResource told = toSeal == null ? sealedIn(answer, resource) : toSeal;
                kept = promises.keep(table.promisedUntilMillis() - now, table.highestFence(), told);
            }
            sweepLater();
        }
        if (kept == null || isDone(kept)) {
            pushes.forEach(this::deliver);
            return CompletableFuture.completedFuture(answer);
        }
        return kept.handle((done, failure) -> {
            if (failure != null) {
                unwritten(failure);
                return unwritten;
            }
            writes = true;
            pushes.forEach(this::deliver);
            return answer;
        });
    }

    private static Promises.@Nullable SealedResource sealedIn(Object answer, String resource) {
        return answer instanceof AcquireAnswer.Sealed sealed
                ? new Promises.SealedResource(resource, sealed.seal())
                : null;
    }

    /** Logs the first of several in a row: with a full disk each request fails, and the log may be on it. */
    private void unwritten(Throwable failure) {
        if (writes) {
            writes = false;
            LOG.log(System.Logger.Level.WARNING, "What was promised can''t be written down: {0}", failure.toString());
        }
    }

    private static boolean isDone(CompletionStage<Void> stage) {
        CompletableFuture<Void> future = stage.toCompletableFuture();
        return future.isDone() && !future.isCompletedExceptionally();
    }

    private void deliver(Push push) {
        Connection connection = connections.get(push.owner().client());
        if (connection != null) {
            timing.scheduler().execute(() -> push.deliverTo(connection.listener));
        }
    }

    private void sweepLater() {
        if (sweeper == null && table.size() > 0) {
            sweeper = timing.scheduler().schedule(SWEEP_NANOS, this::sweep);
        }
    }

    private void sweep() {
        synchronized (table) {
            table.sweep(nowMillis());
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
            return name;
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
            if (closed) {
                return CompletableFuture.completedFuture(CLOSED);
            }
            long quarantine = MemoryNode.this.quarantineMillis();
            if (quarantine > 0) {
                return CompletableFuture.completedFuture(new AcquireAnswer.Quarantined(quarantine));
            }
            return on(
                    UNWRITTEN,
                    request.resource(),
                    null,
                    (table, now, pushes) -> table.acquire(request, now, pushes::add));
        }

        @Override
        public long quarantineMillis(long ttlMillis) {
            return MemoryNode.this.quarantineMillis();
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
            if (closed) {
                return CompletableFuture.completedFuture(CLOSED);
            }
            Seal seal = request.seal();
            return on(
                    UNWRITTEN,
                    request.resource(),
                    seal == null ? null : new Promises.SealedResource(request.resource(), seal),
                    (table, now, pushes) -> table.release(request, now, pushes::add));
        }

        @Override
        public CompletionStage<InspectAnswer> inspect(String resource) {
            return look(() -> table.inspect(resource, nowMillis()));
        }

        @Override
        public CompletionStage<ListAnswer> list(String prefix, int limit) {
            return look(() -> table.list(prefix, limit, nowMillis()));
        }

        @Override
        public CompletionStage<NodeStatus> status() {
            if (closed) {
                return CompletableFuture.completedFuture(
                        NodeStatus.unreachable(name(), NodeStatus.State.DOWN, CLOSED.reason()));
            }
            long quarantine = MemoryNode.this.quarantineMillis();
            long clockOffset = nowMillis() - timing.ticker().wallMillis();
            return CompletableFuture.completedFuture(new NodeStatus(
                    name(),
                    quarantine > 0 ? NodeStatus.State.QUARANTINED : NodeStatus.State.UP,
                    quarantine > 0 ? "has forgotten votes that may last for " + DurationText.ofMillis(quarantine) : "",
                    id,
                    "memory",
                    Duration.ofMillis(uptimeMillis()),
                    Duration.ZERO,
                    Duration.ofMillis(clockOffset),
                    Duration.ofMillis(quarantine),
                    writes ? List.of() : List.of(UNWRITTEN.reason())));
        }

        @Override
        public void close() {
            closed = true;
            connections.remove(client, this);
        }

        @SuppressWarnings("unchecked") // Unavailable is an answer of every kind
        private <T> CompletionStage<T> look(java.util.function.Supplier<? extends T> step) {
            if (closed) {
                return CompletableFuture.completedFuture((T) CLOSED);
            }
            synchronized (table) {
                return CompletableFuture.completedFuture(step.get());
            }
        }
    }

    private static final Unavailable CLOSED = new Unavailable("closed", false);
    private static final Unavailable UNWRITTEN =
            new Unavailable("can't write down what it promises, or is about to end", true);
}
