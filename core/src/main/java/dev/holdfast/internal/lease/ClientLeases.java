package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.thread.ThreadLeases;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.Waiting;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.observe.LeaseObserver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** All attempts and leases of one client, each in a {@link LockSession}. Thread-safe. */
public final class ClientLeases {

    private final Quorum quorum;
    private final LongConsumer ttlCheck;
    private final HandOverSpin spin;
    private final Map<Object, LockSession> sessions = new ConcurrentHashMap<>();
    private final FirstBlocks firstBlocks;
    private final SuspensionWatch watch;
    private volatile boolean closed;

    /**
     * Creates the leases of a client that has no attempts or leases yet.
     *
     * @param ttlCheck rejects a ttl in milliseconds for which a lease cannot be extended, with an {@link IllegalArgumentException}
     */
    public ClientLeases(Quorum quorum, LongConsumer ttlCheck) {
        this(quorum, ttlCheck, new HandOverSpin(quorum.timing().ticker()));
    }

    ClientLeases(Quorum quorum, LongConsumer ttlCheck, HandOverSpin spin) {
        this.quorum = quorum;
        this.ttlCheck = ttlCheck;
        this.spin = spin;
        this.firstBlocks = new FirstBlocks(quorum.timing().ticker().nanos());
        this.watch = new SuspensionWatch(
                quorum.timing(),
                () -> !sessions.isEmpty() && !closed,
                () -> sessions.values().forEach(LockSession::checkClocks));
    }

    /** A lease request that is under way. */
    public interface Pending {

        /** Returns a future that completes with the lease, or with the reason for the refusal. It completes on a node's or a timer's thread. */
        CompletableFuture<Acquisition> outcome();

        /** Blocks until there is an outcome. If the thread is interrupted, the request goes on. */
        Acquisition await() throws InterruptedException;

        /** Cancels the request; a lease that is granted at the same moment is released. */
        void cancel();
    }

    /**
     * Requests a lease. If this client is closed, the outcome is a refusal as well.
     *
     * @param waitNanos how long the request waits; 0 for no wait, {@link Long#MAX_VALUE} for no limit
     */
    public Pending acquire(AttemptSettings settings, long waitNanos, LockOptions options) {
        Consumer<Waiting> observer = options.onWaiting().orElse(null);
        Waiter waiter = new Waiter(
                settings,
                waitNanos,
                options,
                quorum.timing().now(),
                observer instanceof Standby
                        ? quorum.nodes().observer().candidacy(settings.name(), settings.mode())
                        : quorum.nodes().observer().attempt(settings.name(), settings.mode()),
                observer == null || waitNanos == 0
                        ? null
                        : new WaitObserver(observer, quorum.timing().scheduler()));
        boolean shares = options.localHandOver()
                && options.autoExtend() // otherwise the next holder would get a lease that is half used up
                && settings.mode() == LockMode.EX;
        if (shares) {
            enter(waiter);
        } else {
            enterAlone(waiter);
        }
        return waiter;
    }

    /**
     * Adopts a lease that another client has acquired. The future completes on any thread.
     *
     * @param answers what the nodes report of the resource
     * @throws RuntimeException as {@link Adoption#learn} does
     */
    public CompletableFuture<Lease> adopt(
            AttemptSettings settings, LockOptions options, Adoption adoption, List<InspectAnswer> answers) {
        ttlCheck.accept(adoption.learn(settings.name(), answers, quorum.majority()));
        Waiter holder = new Waiter(settings, 0, options, quorum.timing().now(), LeaseObserver.NONE, null);
        holder.adoption = adoption;
        enterAlone(holder);
        return holder.outcome().thenCompose(acquired -> adoption.confirm((LeaseHandle) acquired.lease()));
    }

    /**
     * Returns whether the calling thread already holds this resource, as far as this client knows, so that a request in this mode would wait for the thread
     * itself.
     */
    public boolean isBlockedByThisThread(String resource, LockMode mode) {
        return ThreadLeases.anyMatch(
                lease -> lease instanceof LeaseHandle handle && handle.blocks(quorum, resource, mode));
    }

    void enter(Waiter waiter) {
        LockSession session = sessions.get(waiter.settings.resource());
        if (session == null) {
            LockSession made = new LockSession(this, quorum, waiter, true);
            LockSession other = sessions.putIfAbsent(waiter.settings.resource(), made);
            session = other == null ? made : other;
        }
        if (session.suits(waiter)) {
            enter(session, waiter);
        } else {
            enterAlone(waiter);
        }
    }

    /** Gives the waiter a session that no other waiter joins. */
    void enterAlone(Waiter waiter) {
        LockSession alone = new LockSession(this, quorum, waiter, false);
        sessions.put(alone, alone);
        enter(alone, waiter);
    }

    /** Adds a session. If the client closes at the same time, either {@link #close} finds the session, or this method finds that the client is closed. */
    private void enter(LockSession session, Waiter waiter) {
        if (closed) {
            session.close();
        }
        session.enter(waiter);
        if (closed) {
            session.close();
        }
    }

    HandOverSpin spin() {
        return spin;
    }

    FirstBlocks firstBlocks() {
        return firstBlocks;
    }

    void remove(LockSession session) {
        sessions.remove(session.key(), session);
    }

    void checkTtl(long ttlMillis) {
        ttlCheck.accept(ttlMillis);
    }

    void timerLate(String name, long lateMillis) {
        watch.timerLate(name, lateMillis);
    }

    void watchForSuspension() {
        watch.start();
    }

    /** Ends waiting requests and releases leases. The future completes when every node has answered or timed out. */
    public CompletableFuture<Void> close() {
        closed = true;
        CompletableFuture<?>[] ends =
                sessions.values().stream().map(LockSession::close).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(ends).thenCompose(ended -> quorum.released());
    }
}
