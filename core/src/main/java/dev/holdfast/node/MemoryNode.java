package dev.holdfast.node;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
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
 * A node in this process: a {@link LockTable} on this machine's clocks. It is thread-safe.
 *
 * <p>The node serves tests, locks among the threads of one process, and lock servers. It loses its state when the process ends. With {@link Promises}
 * it knows of that loss after a restart, and does not vote until all lost votes have ended.
 *
 * <p>Its clock starts at the wall clock's time and then follows the monotonic clock, so setting the machine's clock ends no vote early.
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

    /** Whether the node could persist its latest promise. */
    private volatile boolean writes = true;

    /**
     * Creates an empty node, which loses its state when it ends.
     *
     * @param id the identity of the node, which no other node shares
     * @param timing the clock of the node, and the workers for its pushes
     * @param fenceRetentionMillis how long the node remembers a fence after its last use, in milliseconds
     */
    public MemoryNode(String id, Timing timing, long fenceRetentionMillis) {
        this("memory:" + id, id, timing, fenceRetentionMillis, null);
    }

    /**
     * Creates an empty node that knows the promises of earlier runs. It does not vote while votes of those runs may last, repeats none of their
     * fences, and keeps their seals. It answers a request only after it has persisted what the answer promises.
     *
     * @param name the name of the node for people
     * @param id the identity of this run, which no other node or run shares
     * @param timing the clock of the node, and the workers for its pushes
     * @param fenceRetentionMillis how long the node remembers a fence after its last use, in milliseconds
     * @param promises the promises of earlier runs; null for a node without earlier runs
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
     * Connects a client, and returns its view of this node.
     *
     * @param client the client part of its owner ids; the latest view of a client receives its pushes
     * @param listener the listener for pushes, which worker threads call
     */
    public LockNode connect(String client, NodeListener listener) {
        Connection connection = new Connection(client, listener);
        connections.put(client, connection);
        listener.identified(id);
        timing.scheduler().execute(() -> listener.available(id));
        return connection;
    }

    /** Returns the identity of this run of the node. */
    public String id() {
        return id;
    }

    /** Returns how long the node does not vote yet, because it has lost votes that earlier runs promised, in milliseconds; 0 if it votes. */
    public long quarantineMillis() {
        return Math.max(countedFromMillis - nowMillis(), 0);
    }

    /** Returns how long the node has run, in milliseconds. */
    public long uptimeMillis() {
        return nowMillis() - startWallMillis;
    }

    /** Notifies all clients that the node votes, so that their waiters re-send their requests now. */
    private void tellAll() {
        connections.values().forEach(connection -> connection.listener.available(id));
    }

    private long nowMillis() {
        return startWallMillis + TimeUnit.NANOSECONDS.toMillis(timing.ticker().nanos() - startNanos);
    }

    /** Returns the number of resources that use memory, without expired ones. */
    public int size() {
        synchronized (table) {
            table.sweep(nowMillis());
            return table.size();
        }
    }

    /**
     * Ends voting, and persists how long the existing votes last. If there are none, the next run of the node votes at once. A second call has no
     * effect.
     */
    public void settle() {
        synchronized (table) {
            if (promises == null || settled) {
                return;
            }
            settled = true;
            long now = nowMillis();
            promises.settle(Math.max(table.lastVoteMillis(now), countedFromMillis) - now, table.highestFence());
        }
    }

    /** Carries out one step at the table, and answers once the node has persisted what the answer promises. */
    @SuppressWarnings("unchecked") // Unavailable belongs to every type of answer
    private <T> CompletionStage<T> on(String resource, Promises.@Nullable SealedResource toSeal, TableStep<T> step) {
        List<Push> pushes = new ArrayList<>(0);
        T answer;
        CompletionStage<Void> kept = CompletableFuture.completedFuture(null);
        synchronized (table) {
            if (settled) {
                return CompletableFuture.completedFuture((T) UNWRITTEN);
            }
            long now = nowMillis();
            answer = step.apply(table, now, pushes);
            if (promises != null) {
                // an answer that reports a seal promises the seal as well: the write of the seal may still be under
                // way, or may have failed
                Promises.SealedResource told = toSeal == null ? sealedIn(answer, resource) : toSeal;
                kept = promises.keep(table.promisedUntilMillis() - now, table.highestFence(), told);
            }
            sweepLater();
        }
        return kept.handle((done, failure) -> {
            if (failure != null) {
                unwritten(failure);
                return (T) UNWRITTEN;
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

    /** Logs the first of several failures in a row. With a full disk, every request fails, and the log may be on the same disk. */
    private void unwritten(Throwable failure) {
        if (writes) {
            writes = false;
            LOG.log(System.Logger.Level.WARNING, "Promises cannot be persisted: {0}", failure.toString());
        }
    }

    private void deliver(Push push) {
        Connection connection = connections.get(push.owner().client());
        if (connection != null) {
            timing.scheduler().execute(() -> connection.listener.pushed(push));
        }
    }

    private void sweepLater() {
        if (sweeper == null && table.size() > 0) {
            sweeper = timing.scheduler().schedule(SWEEP_NANOS, this::sweep);
        }
    }

    private void sweep() {
        synchronized (table) {
            table.dropUnused(nowMillis());
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
            long quarantine = MemoryNode.this.quarantineMillis();
            if (closed || quarantine > 0) {
                return CompletableFuture.completedFuture(closed ? CLOSED : new AcquireAnswer.Quarantined(quarantine));
            }
            return on(request.resource(), null, (table, now, pushes) -> table.acquire(request, now, pushes::add));
        }

        @Override
        public long quarantineMillis(long ttlMillis) {
            return MemoryNode.this.quarantineMillis();
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
            Seal seal = request.seal();
            Promises.SealedResource told = seal == null ? null : new Promises.SealedResource(request.resource(), seal);
            return closed
                    ? CompletableFuture.completedFuture(CLOSED)
                    : on(request.resource(), told, (table, now, pushes) -> table.release(request, now, pushes::add));
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
            Duration quarantine = Duration.ofMillis(MemoryNode.this.quarantineMillis());
            long clockOffset = nowMillis() - timing.ticker().wallMillis();
            return CompletableFuture.completedFuture(new NodeStatus(
                    name(),
                    quarantine.isZero() ? NodeStatus.State.UP : NodeStatus.State.QUARANTINED,
                    quarantine.isZero() ? "" : "has lost votes that may last for " + DurationText.of(quarantine),
                    Duration.ZERO,
                    quarantine,
                    new NodeStatus.Server(
                            id,
                            "memory",
                            Duration.ofMillis(uptimeMillis()),
                            Duration.ofMillis(clockOffset),
                            Persistence.UNKNOWN,
                            writes ? List.of() : List.of(UNWRITTEN.reason()))));
        }

        @Override
        public void close() {
            closed = true;
            connections.remove(client, this);
        }

        @SuppressWarnings("unchecked") // Unavailable belongs to every type of answer
        private <T> CompletionStage<T> look(java.util.function.Supplier<? extends T> step) {
            synchronized (table) {
                return CompletableFuture.completedFuture(closed ? (T) CLOSED : step.get());
            }
        }
    }

    private static final Unavailable CLOSED = new Unavailable("closed", false);
    private static final Unavailable UNWRITTEN =
            new Unavailable("the node cannot persist its promises, or is about to end", true);
}
