package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.caller.Secret;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The leases and the waiters of the server's clients. Thread-safe.
 *
 * <p>The server finds a lease by its id, and by its Idempotency-Key, while it is held. Afterwards the lease is still known while it is one of the last
 * {@value #MOST_ENDED} that have ended.
 */
public final class Leases {

    private static final System.Logger LOG = ServerLogger.get();

    /** How many ended leases the server remembers. */
    static final int MOST_ENDED = 10_000;

    final Holdfast holdfast;
    final Timing timing;
    final EventLog events;
    final Owners owners;
    private final Duration longestWait;
    final Quota held;
    final Quota waiting;
    final Quota lines;
    private final Map<String, ServedLease> leases = new ConcurrentHashMap<>();

    /** The held leases of each lock, the oldest first. Clients may share a lock. */
    private final Map<String, List<ServedLease>> heldByLock = new ConcurrentHashMap<>();

    final LeaseKeys keys;
    final Map<IdempotencyKey, PendingAcquire> attemptsByKey = new ConcurrentHashMap<>();
    final Set<PendingAcquire> attempts = ConcurrentHashMap.newKeySet();
    private final Deque<Ended> ended = new ArrayDeque<>();
    private final Adoptions adoptions = new Adoptions(this);
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    volatile boolean stopping;
    volatile LeaseTimes times = LeaseTimes.IGNORED;

    public Leases(
            Holdfast holdfast, Timing timing, LeaseLimits limits, EventLog events, Owners owners, LeaseKeys keys) {
        this.events = events;
        this.owners = owners;
        this.keys = keys;
        this.holdfast = holdfast;
        this.timing = timing;
        this.longestWait = limits.longestWait();
        this.held = new Quota("client", "leases", limits.leases());
        this.waiting = new Quota("client", "waiting requests", limits.waiters());
        this.lines = new Quota("lock", "requests in the queue", limits.queuePerLock());
    }

    /** Sets the listener for how long clients wait for locks and hold them. */
    public void onTimes(LeaseTimes listener) {
        times = listener;
    }

    /** Returns the maximum wait of a request. */
    public Duration longestWait() {
        return longestWait;
    }

    /** An Idempotency-Key, which is unique within its client. */
    record IdempotencyKey(String client, String text) {}

    /** The data of an ended lease, which is removed together. */
    private record Ended(ServedLease lease, @Nullable PendingAcquire pending) {}

    // ---- acquiring

    /**
     * Queues a request. The future completes with the lease, or with a {@link Problem}.
     *
     * @param text the Idempotency-Key; a key that was already used for the same request returns that request's outcome
     * @param requester the attempt ends if the requester disconnects and no other request waits for it
     * @throws IllegalArgumentException if the request is invalid
     */
    public CompletableFuture<ServedLease> acquire(
            Caller caller, LockRequest request, @Nullable String text, Requester requester) {
        if (text == null) {
            return started(new PendingAcquire(this, caller, request, null), requester);
        }
        IdempotencyKey key = new IdempotencyKey(caller.client(), text);
        while (true) {
            PendingAcquire fresh = new PendingAcquire(this, caller, request, key);
            PendingAcquire first = attemptsByKey.putIfAbsent(key, fresh);
            if (first == null) {
                return started(fresh, requester);
            }
            CompletableFuture<ServedLease> outcome = first.again(request, requester);
            if (outcome != null) {
                return outcome;
            }
            attemptsByKey.remove(key, first);
        }
    }

    private static CompletableFuture<ServedLease> started(PendingAcquire pending, Requester requester) {
        CompletableFuture<ServedLease> outcome = pending.join(requester);
        try {
            pending.start();
        } catch (RuntimeException e) {
            pending.fails(e);
            throw e;
        }
        return outcome == null ? CompletableFuture.failedFuture(Problem.stopping()) : outcome;
    }

    /**
     * Adds a lease that the nodes have granted.
     *
     * @param pending the attempt, if it has an Idempotency-Key; null otherwise
     */
    ServedLease granted(Lease lease, Caller caller, LockRequest request, @Nullable PendingAcquire pending) {
        List<byte[]> known = request.isExtended() ? List.of() : keys.keys();
        boolean adoptable = !known.isEmpty();
        String id = adoptable
                ? LeaseId.of(lease, request).text(caller.client(), known.get(0))
                : Secret.drawn(timing.random());
        ServedLease made = new ServedLease(id, caller.client(), lease, request.ttl(), adoptable, timing.ticker());
        made.extendedHere(request.ttl());
        add(made, lease, request, pending);
        events.add(
                Event.Type.GRANTED,
                lease.name(),
                about(made).put("ttlMillis", request.ttl().toMillis()));
        if (request.isExtended()) {
            lease.onExtended(left -> extended(made, request.ttl()));
        }
        return made;
    }

    /** Adds a lease that this server has adopted, in place of what it knew of it before. */
    ServedLease adopted(Lease lease, Caller caller, LockRequest request, String id) {
        ServedLease before = leases.get(id);
        boolean isNew = before == null || before.hasEnded();
        ServedLease made = new ServedLease(id, caller.client(), lease, request.ttl(), true, timing.ticker());
        held.count(caller.client()); // a limit must not cost a client a lease that it holds
        if (before != null) {
            forget(before, null);
        }
        add(made, lease, request, null);
        if (isNew) {
            events.add(
                    Event.Type.ADOPTED,
                    lease.name(),
                    about(made).put("remainingMillis", lease.remaining().toMillis()));
        }
        return made;
    }

    private void add(ServedLease made, Lease lease, LockRequest request, @Nullable PendingAcquire pending) {
        leases.put(made.id, made);
        heldByLock.merge(
                made.lock,
                List.of(made),
                (known, more) -> Stream.concat(known.stream(), more.stream()).toList());
        owners.holds(made, request);
        lease.onLost(loss -> {
            if (request.isExtended()) {
                lost(made, pending, loss);
            } else {
                adoptions.lapsed(made, pending, loss);
            }
        });
        made.onEnd(how -> end(made, pending, how, how.equals(ServedLease.BROKEN) ? null : Event.Type.RELEASED));
    }

    /** Replaces the server's name with the client that holds the lock or has sealed it, since the nodes only know the server as their client. */
    String withClient(Refusal refusal, String text) {
        Owners.Known client = refusal.seal() == null ? holder(refusal.lock()) : owners.sealer(refusal.seal());
        return client == null ? text : client.named(text);
    }

    private Owners.@Nullable Known holder(String lock) {
        List<ServedLease> holders = heldByLock.get(lock);
        return holders == null ? null : owners.of(holders.get(holders.size() - 1));
    }

    /** Returns the details for an event. They never contain an id, since an id grants access to the lease. */
    private ObjectNode about(ServedLease lease) {
        return owners.of(lease).json().put("token", lease.token);
    }

    /** Records that a lease was extended, by its client or by the server. */
    public void extended(ServedLease lease, Duration ttl) {
        lease.extendedHere(ttl);
        lease.whileHeld(() ->
                events.add(Event.Type.EXTENDED, lease.lock, about(lease).put("remainingMillis", lease.validMillis())));
    }

    // ---- leases

    /**
     * Finds the lease of that id, also for a while after its end. If another server granted it, or this one before a restart, this server adopts it. A lease of
     * another client is treated as if it never existed.
     */
    public CompletionStage<ServedLease> find(Caller caller, String id) {
        return find(caller, id, ServedLease::isCertain);
    }

    /** Finds the lease as {@link #find} does, with the lock's latest value, which the client may have written at another server. */
    public CompletionStage<ServedLease> findWithLatestValue(Caller caller, String id) {
        return find(caller, id, ServedLease::hasEndedForGood);
    }

    private CompletionStage<ServedLease> find(Caller caller, String id, Predicate<ServedLease> suffices) {
        ServedLease known = leases.get(id);
        ServedLease found = known != null && known.client.equals(caller.client()) ? known : null;
        if (found != null && suffices.test(found)) {
            return certain(caller, found);
        }
        return keys.ready().thenCompose(ready -> continued(caller, id, found));
    }

    private CompletionStage<ServedLease> continued(Caller caller, String id, @Nullable ServedLease found) {
        LeaseId content = LeaseId.parse(id, caller.client(), keys.keys());
        if (content != null) {
            caller.requireCovered(content.lock());
            return adoptions.adopt(caller, id, content, found);
        }
        if (found != null) {
            return certain(caller, found);
        }
        if (keys.keys().isEmpty()) {
            throw new Problem(
                    Problem.Kind.UNCONFIRMED,
                    "No majority of nodes has answered since this server started, so it can't check the id; retry.");
        }
        throw new Problem(Problem.Kind.NOT_FOUND, "No lease of this id is known. If it existed, it ended long ago.");
    }

    private static CompletionStage<ServedLease> certain(Caller caller, ServedLease found) {
        caller.requireCovered(found.lock);
        return CompletableFuture.completedFuture(found);
    }

    /** Completes with whether the nodes may still have a majority of votes for the lease. Another server may have released it. */
    public CompletionStage<Boolean> isAtNodes(ServedLease lease) {
        return adoptions.left(lease).thenApply(left -> left != Adoptions.Left.NOTHING);
    }

    /** Ends the lease that an operator has broken, if a client of this server holds it, and adds the event. */
    public void broken(BreakNotice notice) {
        ServedLease found = leases.values().stream()
                .filter(lease -> lease.token == notice.token() && lease.lock.equals(notice.lock()))
                .findFirst()
                .orElse(null);
        ObjectNode told = found == null ? Json.object().put("token", notice.token()) : about(found);
        told.put("operator", notice.operator()).put("reason", notice.reason());
        events.add(Event.Type.BROKEN, notice.lock(), told);
        LOG.log(
                Level.WARNING,
                "'" + Printable.of(notice.operator()) + "' has broken the lease of '" + Printable.of(notice.lock())
                        + "' with token " + notice.token() + ": " + Printable.of(notice.reason(), 200));
        if (found != null) {
            found.endByOperator();
        }
    }

    /** Ends a lease that is lost. */
    void lost(ServedLease lease, @Nullable PendingAcquire pending, Loss loss) {
        boolean expired = loss.reason() == Loss.Reason.EXPIRED;
        if (end(lease, pending, expired ? "expired" : "lost", expired ? Event.Type.EXPIRED : Event.Type.LOST)) {
            LOG.log(Level.WARNING, loss.toString());
        }
    }

    /** Ends a lease, with an event of this type; null if the event has already been added. Returns whether it had not ended before. */
    boolean end(ServedLease lease, @Nullable PendingAcquire pending, String how, Event.@Nullable Type type) {
        if (!lease.ends(how)) {
            return false;
        }
        times.held(timing.ticker().nanos() - lease.grantedNanos);
        if (how.equals(ServedLease.SEALED)) {
            owners.sealed(lease);
        }
        synchronized (ended) {
            ended.add(new Ended(lease, pending));
            if (ended.size() > MOST_ENDED) {
                Ended oldest = ended.remove();
                leases.remove(oldest.lease().id, oldest.lease());
                if (oldest.pending() != null) {
                    oldest.pending().forgetKey();
                }
            }
        }
        if (type != null) {
            events.add(type, lease.lock, about(lease));
        }
        leaves(lease);
        return true;
    }

    /** Forgets a lease that another server takes care of. */
    void forget(ServedLease lease, Event.@Nullable Type type) {
        if (lease.ends("moved")) {
            leases.remove(lease.id, lease);
            lease.abandon();
            if (type != null) {
                events.add(type, lease.lock, about(lease));
            }
            leaves(lease);
        }
    }

    private void leaves(ServedLease lease) {
        heldByLock.computeIfPresent(lease.lock, (lock, known) -> {
            List<ServedLease> rest = known.stream().filter(one -> one != lease).toList();
            return rest.isEmpty() ? null : rest;
        });
        owners.forget(lease.owner);
        noLongerHeld(lease.client);
    }

    void noLongerHeld(String client) {
        held.remove(client);
        completeIfIdle();
    }

    /** Returns how many leases are held. */
    public int held() {
        return Math.max(held.total() - waiting.total(), 0);
    }

    /** Returns how many requests wait for a lock, or for the answer of the nodes. */
    public int waiting() {
        return waiting.total();
    }

    // ---- the end

    /** Grants nothing from now on, and rejects all waiters. The future completes once the last lease has ended. */
    public CompletableFuture<Void> stop() {
        stopping = true;
        attempts.forEach(PendingAcquire::cancel);
        completeIfIdle();
        return idle.copy();
    }

    public boolean isStopping() {
        return stopping;
    }

    private void completeIfIdle() {
        if (stopping && held.total() == 0) {
            idle.complete(null);
        }
    }
}
