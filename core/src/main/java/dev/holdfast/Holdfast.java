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
 * A client of one set of nodes, with its connections, attempts and leases. A client is thread-safe. A program needs one client for each set of nodes,
 * and should close it at the end of the program.
 *
 * <pre>{@code
 * try (Holdfast holdfast = Holdfast.connect("redis://a:6379", "redis://b:6379", "redis://c:6379");
 *         Lease lease = holdfast.lock("orders:42").acquire(Duration.ofSeconds(5))) {
 *     repository.save(order, lease.fencingToken());
 * }
 * }</pre>
 *
 * <p>With one node, a lock is the single-instance lock of the Redis documentation. With three or more, the client uses Redlock, which works as long
 * as a majority of the nodes is reachable (PROTOCOL §4).
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
     * @throws IllegalArgumentException if the name breaks these rules
     */
    public DistributedLock lock(String name) {
        return new ClientLock(this, name, LockNames.resource(settings.keyPrefix(), name), settings.options());
    }

    /**
     * Returns a set of locks that a caller acquires together, with the client's default options.
     *
     * @param names at least one name, each once, in any order
     * @throws IllegalArgumentException if there is no name, or a name occurs twice
     */
    public MultiLock locks(String... names) {
        return locks(Arrays.stream(names).map(this::lock).toList());
    }

    /**
     * Returns a set of locks that a caller acquires together, each with separate options.
     *
     * @param locks at least one lock, each name once, in any order
     * @throws IllegalArgumentException if there is no lock, or a lock occurs twice
     */
    public MultiLock locks(List<DistributedLock> locks) {
        return new LockSet(locks, timing.ticker());
    }

    /**
     * Returns a guard for work that must be done once, such as the handling of a message.
     *
     * @param name the name of this piece of work, under the rules of {@link #lock}
     * @param retention how long the nodes remember that the work is done, 1 ms to 365 days. It must be longer than the delay of any duplicate.
     * @throws IllegalArgumentException if the name is invalid, or the retention is outside that range
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
     * @param name under the rules of {@link #lock}, and at least 5 bytes shorter than the longest name
     * @param permits the largest number of holders at the same time, 1 to 1,000; all users of the name should give the same number
     * @throws IllegalArgumentException if the name is invalid, or the number of permits is outside that range
     */
    public LockSemaphore semaphore(String name, int permits) {
        return new PlaceSemaphore(name, permits, this::lock, timing);
    }

    /**
     * Returns a leader election of this name, with the client's default options. The election uses the lock of the same name.
     *
     * @param name under the rules of {@link #lock}
     * @throws IllegalArgumentException if the name breaks these rules
     */
    public Election election(String name) {
        String client = client();
        return new LockElection(lock(name), client.substring(0, client.lastIndexOf('~')), candidacies, timing);
    }

    /**
     * Returns the lease under which the calling thread works. This is the lease of the innermost {@link DistributedLock#run} or
     * {@link DistributedLock#call} around it, of any client; empty if there is none. Code further down the stack can read its
     * {@link Lease#fencingToken}. The lease is bound to the thread: threads that this one starts do not inherit it.
     */
    public static Optional<Lease> currentLease() {
        return CurrentLease.get();
    }

    /** Returns the operator's view of this client, which shows the state of locks and nodes and can break a lease. */
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
     * Waits until the client has tried to connect to every node once, and throws an exception if it must not use one of them. It waits for silent
     * nodes only until it has reached a majority.
     */
    void awaitNodes() throws InterruptedException {
        CompletableFuture<Void> enough = quorum.nodes().tried().copy();
        Duration longest = settings.nodeOptions().connectTimeout();
        Duration patience = longest.compareTo(SILENT_NODE_PATIENCE) < 0 ? longest : SILENT_NODE_PATIENCE;
        timing.scheduler()
                .schedule(patience.toNanos(), () -> quorum.nodes().reached().thenRun(() -> enough.complete(null)));
        // An unreachable node reports its failure within this time, not counting pauses of this process. The guard ends
        // the wait if a node fails to report.
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
     * Closes the client: releases all leases, ends all attempts with a {@link HoldfastClosedException}, and closes the connections. Blocks for half a
     * second at most. A vote that the client could not release by then stays at its node until it expires. The client interrupts the work of a
     * leader, which has half of that time to end before the client releases its lock. A lease with {@link Lease#releaseAfter} stays held at the nodes
     * until the time given there has passed. A second call has no effect. When a {@link dev.holdfast.observe.ClientObserver} calls this method, it
     * returns at once, since the nodes' answers may arrive on that thread.
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
                .handle((none, failure) -> Boolean.TRUE); // the connections and threads end in any case
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
     * Closes the client as {@link #close} does, without releasing leases: each stays held at the nodes until its ttl has passed. Use this method for
     * a server that stops while its clients may still rely on their leases. The caller must cancel waiting attempts first.
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

    /** Returns the client and its nodes, for messages. */
    @Override
    public String toString() {
        return "Holdfast[" + Objects.requireNonNull(client()) + ", " + admin.nodeNames() + "]";
    }
}
