package dev.holdfast;

import dev.holdfast.election.Election;
import dev.holdfast.internal.election.Candidacies;
import dev.holdfast.internal.election.LockElection;
import dev.holdfast.internal.lease.ClientLeases;
import dev.holdfast.internal.lease.LeaseLimits;
import dev.holdfast.internal.observe.Observers;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.recipe.LockSet;
import dev.holdfast.internal.recipe.PlaceSemaphore;
import dev.holdfast.internal.recipe.SealingGuard;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.thread.CurrentLease;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.recipe.LockSemaphore;
import dev.holdfast.recipe.MultiLock;
import dev.holdfast.recipe.OnceGuard;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client of one set of nodes, with its connections, attempts and leases. Thread-safe. A program needs one client for each set of nodes, and closes it at its end.
 *
 * <pre>{@code
 * try (Holdfast holdfast = Holdfast.connect("redis://a:6379", "redis://b:6379", "redis://c:6379");
 *         Lease lease = holdfast.lock("orders:42").acquire(Duration.ofSeconds(5))) {
 *     repository.save(order, lease.fencingToken());
 * }
 * }</pre>
 *
 * <p>One node is the single-instance lock of the Redis documentation. Three or more are Redlock, which works as long as a majority of
 * them is reachable (PROTOCOL §4).
 */
public final class Holdfast implements AutoCloseable {

    private static final Duration LONGEST_CLOSE = Duration.ofMillis(500);
    private static final Duration SILENT_NODE_PATIENCE = Duration.ofMillis(250);

    private final HoldfastSettings settings;
    private final Timing timing;
    private final boolean ownTiming;
    private final Quorum quorum;
    private final ClientLeases leases;
    private final HoldfastAdmin admin;
    private final Candidacies candidacies = new Candidacies(Observers::areToldByThisThread);
    private final AtomicBoolean closed = new AtomicBoolean();

    Holdfast(HoldfastSettings settings, Timing timing, boolean ownTiming, Quorum quorum) {
        this.settings = settings;
        this.timing = timing;
        this.ownTiming = ownTiming;
        this.quorum = quorum;
        this.admin = new HoldfastAdmin(settings, quorum, this::ensureOpen);
        this.leases =
                new ClientLeases(quorum, millis -> settings.requireRemembered("duration", Duration.ofMillis(millis)));
    }

    /**
     * Connects to these nodes with default settings, as {@link HoldfastBuilder#connect} does.
     *
     * @param nodes URIs such as {@code redis://host:6379}, or {@code memory:} for locks within this process
     */
    public static Holdfast connect(String... nodes) {
        return builder().nodes(nodes).connect();
    }

    /** Returns a builder for a client with other settings. */
    public static HoldfastBuilder builder() {
        return new HoldfastBuilder();
    }

    /**
     * Returns a lock of this name, with the client's {@linkplain HoldfastBuilder#lockOptions default options}. Sends nothing.
     *
     * @param name 1 to 1,024 bytes of UTF-8 together with the key prefix; no control characters; braces only as a Redis Cluster hash tag
     * @throws IllegalArgumentException if it is not such a name
     */
    public DistributedLock lock(String name) {
        return new ClientLock(this, name, LockNames.resource(settings.keyPrefix(), name), settings.options());
    }

    /**
     * Returns a set of locks that are acquired together, with the client's default options.
     *
     * @param names at least one name, each once, in any order
     * @throws IllegalArgumentException if there is no name, or one twice
     */
    public MultiLock locks(String... names) {
        return locks(Arrays.stream(names).map(this::lock).toList());
    }

    /**
     * Returns a set of locks that are acquired together, each with options of its own.
     *
     * @param locks at least one lock, each name once, in any order
     * @throws IllegalArgumentException if there is no lock, or one twice
     */
    public MultiLock locks(List<DistributedLock> locks) {
        return new LockSet(locks, timing.ticker());
    }

    /**
     * Returns a guard for work that is to be done once, such as the handling of a message.
     *
     * @param name the name of this piece of work, as that of a lock
     * @param retention how long the nodes remember that it is done, 1 ms to 365 days: longer than a duplicate may be late
     * @throws IllegalArgumentException if the name is not one, or the retention is outside that range
     */
    public OnceGuard once(String name, Duration retention) {
        LeaseLimits.requireRetention(retention);
        OnceGuard guard = new SealingGuard(lock(name), retention);
        quorum.nodes().sealsAreUsed();
        return guard;
    }

    /**
     * Returns a semaphore of this name.
     *
     * @param name as that of a lock, at least 5 bytes shorter than the longest
     * @param permits how many holders it admits at the same time, 1 to 1,000; all users of the name should give the same number
     * @throws IllegalArgumentException if the name is not one, or the number of permits is outside that range
     */
    public LockSemaphore semaphore(String name, int permits) {
        return new PlaceSemaphore(name, permits, this::lock, timing);
    }

    /**
     * Returns a leader election of this name, with the client's default options. Its lock is the lock of the same name.
     *
     * @param name as that of a lock
     * @throws IllegalArgumentException if it is not such a name
     */
    public Election election(String name) {
        String client = client();
        return new LockElection(lock(name), client.substring(0, client.lastIndexOf('~')), candidacies, timing);
    }

    /**
     * Returns the lease under which the calling thread works: that of the innermost {@link DistributedLock#run} or {@link DistributedLock#call} around it, of
     * any client; empty if there is none. Code further down the stack can read its {@link Lease#fencingToken}. It is bound to the thread: threads that
     * this one starts have none.
     */
    public static Optional<Lease> currentLease() {
        return CurrentLease.get();
    }

    /** Returns the view of an operator: states of locks and nodes, and breaking a lease. */
    public HoldfastAdmin admin() {
        return admin;
    }

    /** Returns the id under which nodes and other clients see this client. */
    public String client() {
        return quorum.client();
    }

    // ---- for locks

    Timing timing() {
        return timing;
    }

    ClientLeases leases() {
        ensureOpen();
        return leases;
    }

    long nodeTimeoutNanos(Duration ttl) {
        return settings.nodeTimeoutNanos(ttl);
    }

    void requireFitting(Duration ttl) {
        settings.requireFitting(ttl);
    }

    private void ensureOpen() {
        if (closed.get()) {
            throw new HoldfastClosedException("this Holdfast client is closed");
        }
    }

    // ---- the beginning and the end

    /**
     * Waits until every node has been tried once, but for a node that keeps silent only as long as it takes for a majority, and refuses
     * what must not be used.
     */
    void awaitNodes() throws InterruptedException {
        CompletableFuture<Void> enough = quorum.nodes().tried().copy();
        Duration longest = settings.nodeOptions().connectTimeout();
        Duration patience = longest.compareTo(SILENT_NODE_PATIENCE) < 0 ? longest : SILENT_NODE_PATIENCE;
        timing.scheduler()
                .schedule(patience.toNanos(), () -> quorum.nodes().reached().thenRun(() -> enough.complete(null)));
        // a node tells within that time of this client's running that it can't be reached; the rest is for one that
        // breaks its word
        Duration guard =
                longest.multipliedBy(RunningTimeout.LONGEST_CONNECT_FACTOR).plus(RunningTimeout.LONGEST_TURN);
        timing.scheduler().schedule(guard.toNanos(), () -> enough.complete(null));
        Await.interruptibly(enough);
        List<String> refusals = quorum.nodes().refusals();
        if (!refusals.isEmpty()) {
            throw new NodeRefusedException(String.join("; ", refusals));
        }
    }

    /**
     * Closes the client: releases all leases, ends all attempts with a {@link HoldfastClosedException}, and closes the connections. Blocks for half a second at most; a vote
     * that could not be released by then expires by itself. A leader's work is interrupted, and has half of that time to end before its lock is
     * released. A lease with {@link Lease#releaseAfter} stays held at the nodes until its time. A second call has no effect. From within a
     * {@link dev.holdfast.observe.ClientObserver} it returns at once, since the answers may come on that thread.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Void> stood = candidacies.close().copy();
        timing.scheduler().schedule(LONGEST_CLOSE.toNanos() / 2, () -> stood.complete(null));
        CompletableFuture<Boolean> done = stood.handle((none, failure) -> Boolean.TRUE)
                .thenCompose(none -> leases.close())
                .handle((none, failure) -> Boolean.TRUE); // however that ends, the connections and threads end
        timing.scheduler().schedule(LONGEST_CLOSE.toNanos(), () -> done.complete(Boolean.TRUE));
        if (Observers.areToldByThisThread()) {
            done.thenAcceptAsync(all -> end(), timing.scheduler()::execute);
        } else {
            Await.uninterruptibly(done);
            end();
        }
    }

    private void end() {
        candidacies.end();
        quorum.close();
        if (ownTiming) {
            timing.scheduler().close();
        }
    }

    /**
     * Closes the client as {@link #close} does, without releasing leases: each stays held at the nodes until its ttl is over. This is for a server that stops, whose clients
     * may still rely on their leases. The caller cancels attempts before.
     */
    public void closeLeavingLeases() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Void> told = quorum.released().copy();
        timing.scheduler().schedule(LONGEST_CLOSE.toNanos(), () -> told.complete(null));
        Await.uninterruptibly(told);
        end();
    }

    /** For messages: the client and its nodes. */
    @Override
    public String toString() {
        return "Holdfast[" + Objects.requireNonNull(client()) + ", " + admin.nodeNames() + "]";
    }
}
