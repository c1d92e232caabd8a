package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Waiting;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.caller.Secret;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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

    private final Holdfast holdfast;
    private final Timing timing;
    private final EventLog events;
    private final Owners owners;
    private final Duration longestWait;
    private final Quota held;
    private final Quota waiting;
    private final Quota lines;
    private final Map<String, ServedLease> leases = new ConcurrentHashMap<>();
    private final Map<String, ServedLease> latestByLock = new ConcurrentHashMap<>();
    private final Map<IdempotencyKey, PendingAcquire> keys = new ConcurrentHashMap<>();
    private final Set<PendingAcquire> attempts = ConcurrentHashMap.newKeySet();
    private final Deque<Ended> ended = new ArrayDeque<>();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean stopping;
    private volatile LeaseTimes times = LeaseTimes.IGNORED;

    public Leases(Holdfast holdfast, Timing timing, LeaseLimits limits, EventLog events, Owners owners) {
        this.events = events;
        this.owners = owners;
        this.holdfast = holdfast;
        this.timing = timing;
        this.longestWait = limits.longestWait();
        this.held = new Quota("client", "leases", limits.leases());
        this.waiting = new Quota("client", "waiting requests", limits.waiters());
        this.lines = new Quota("lock", "requests in line", limits.queuePerLock());
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
    private record IdempotencyKey(String client, String text) {}

    /** The data of an ended lease, which is removed together. */
    private record Ended(String id, @Nullable IdempotencyKey key, PendingAcquire pending) {}

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
            return started(new PendingAcquire(caller, request, null), requester);
        }
        IdempotencyKey key = new IdempotencyKey(caller.client(), text);
        while (true) {
            PendingAcquire fresh = new PendingAcquire(caller, request, key);
            PendingAcquire first = keys.putIfAbsent(key, fresh);
            if (first == null) {
                return started(fresh, requester);
            }
            CompletableFuture<ServedLease> outcome = first.again(request, requester);
            if (outcome != null) {
                return outcome;
            }
            keys.remove(key, first);
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

    /** An attempt on the nodes, for one request or for several with the same key. */
    private final class PendingAcquire {

        private final Caller caller;
        private final LockRequest request;
        private final @Nullable IdempotencyKey key;
        private final CompletableFuture<ServedLease> outcome = new CompletableFuture<>();
        private @Nullable CompletableFuture<Acquisition> running;
        private final long startNanos = timing.ticker().nanos();
        private int requests;
        private boolean abandoned;
        private Owners.@Nullable Known inLine;
        private boolean decided;

        PendingAcquire(Caller caller, LockRequest request, @Nullable IdempotencyKey key) {
            this.caller = caller;
            this.request = request;
            this.key = key;
        }

        void start() {
            if (stopping) {
                throw Problem.stopping();
            }
            DistributedLock lock = holdfast.lock(request.lock())
                    .mode(request.mode())
                    .ttl(request.ttl())
                    .autoExtend(request.isExtended())
                    .localHandOver(false)
                    .onWaiting(this::onQueued);
            enter();
            attempts.add(this);
            CompletableFuture<Acquisition> asked;
            try {
                asked = lock.tryAcquireAsync(request.patience());
            } catch (RuntimeException e) {
                held.remove(caller.client());
                noLongerWaits();
                throw e;
            }
            asked.whenComplete((acquisition, failure) -> {
                try {
                    onDecided(acquisition, failure);
                } catch (RuntimeException | Error e) { // the client waits for an outcome, even for an error
                    fails(e);
                    throw e;
                }
            });
            setRunning(asked);
            if (stopping) {
                cancel();
            }
        }

        /**
         * Counts the attempt within all limits, or not at all. A request that does not wait never delays others, so it is exempt from the limit of the queue.
         */
        private void enter() {
            held.add(caller.client());
            try {
                waiting.add(caller.client());
                try {
                    if (!request.patience().isZero()) {
                        lines.add(request.lock());
                    }
                } catch (Problem e) {
                    waiting.remove(caller.client());
                    throw e;
                }
            } catch (Problem e) {
                held.remove(caller.client());
                throw e;
            }
        }

        /** Records that the attempt waits; a worker calls this, possibly after the decision. */
        private synchronized void onQueued(Waiting state) {
            if (state.place() > 0 && inLine == null && !decided) {
                Owners.Known known = owners.waits(state.owner(), caller.client(), request);
                inLine = known;
                events.add(Event.Type.QUEUED, request.lock(), known.json().put("place", state.place()));
            }
        }

        private synchronized void leavesLine(boolean granted) {
            decided = true;
            Owners.Known known = inLine;
            if (known != null && !granted) {
                owners.forget(known.owner());
                events.add(Event.Type.LEFT, request.lock(), known.json());
            }
        }

        private void noLongerWaits() {
            attempts.remove(this);
            waiting.remove(caller.client());
            if (!request.patience().isZero()) {
                lines.remove(request.lock());
            }
        }

        private void setRunning(CompletableFuture<Acquisition> asked) {
            boolean late;
            synchronized (this) {
                running = asked;
                late = abandoned;
            }
            if (late) {
                asked.cancel(true);
            }
        }

        private void onDecided(@Nullable Acquisition acquisition, @Nullable Throwable failure) {
            noLongerWaits();
            leavesLine(acquisition instanceof Acquisition.Held);
            times.acquired(
                    acquisition instanceof Acquisition.Held, timing.ticker().nanos() - startNanos);
            if (acquisition instanceof Acquisition.Held made) {
                begin(made.lease());
                return;
            }
            noLongerHeld(caller.client());
            if (acquisition instanceof Acquisition.Refused refused) {
                fails(Problem.of(refused.refusal(), text -> withHolder(request.lock(), text)));
            } else {
                fails(failure == null ? Problem.stopping() : Failures.problem(failure));
            }
        }

        private void begin(Lease lease) {
            ServedLease made = new ServedLease(
                    Secret.drawn(timing.random()),
                    caller.client(),
                    lease,
                    request.ttl(),
                    timing.ticker().nanos());
            leases.put(made.id, made);
            latestByLock.put(lease.name(), made);
            owners.holds(lease, caller.client(), request);
            events.add(
                    Event.Type.GRANTED,
                    lease.name(),
                    about(made).put("ttlMillis", request.ttl().toMillis()));
            lease.onLost(loss -> {
                boolean expired = loss.reason() == Loss.Reason.EXPIRED;
                end(made, this, expired ? "expired" : "lost", expired ? Event.Type.EXPIRED : Event.Type.LOST);
            });
            if (request.isExtended()) {
                lease.onExtended(left -> extended(made));
            }
            made.onEnd(how -> end(made, this, how, how.equals(ServedLease.BROKEN) ? null : Event.Type.RELEASED));
            String value = request.value();
            if (value == null) {
                outcome.complete(made);
            } else {
                lease.writeValueAsync(value).whenComplete((written, failure) -> {
                    if (failure == null) {
                        made.recordWrite(written);
                    }
                    outcome.complete(made);
                });
            }
        }

        /** Completes with the problem. The server does not remember a rejection, so a client that retries with the key gets another chance. */
        void fails(Throwable problem) {
            synchronized (this) {
                abandoned = true;
            }
            if (key != null) {
                keys.remove(key, this);
            }
            outcome.completeExceptionally(problem);
        }

        /** Adds another request with the same key; returns null if the request has to start a new attempt. */
        @Nullable
        CompletableFuture<ServedLease> again(LockRequest other, Requester requester) {
            if (!request.equals(other)) {
                throw new Problem(
                        Problem.Kind.KEY_REUSED,
                        "The Idempotency-Key was used for another lock, mode, ttl, wait or value; use a new one.");
            }
            CompletableFuture<ServedLease> joined = join(requester);
            return joined == null
                    ? null
                    : joined.thenApply(made -> {
                        if (made.hasEnded()) {
                            throw new Problem(
                                            Problem.Kind.KEY_SPENT,
                                            "The lease of this Idempotency-Key has ended; use a new one to acquire"
                                                    + " again.")
                                    .with("lock", made.lease.name());
                        }
                        return made;
                    });
        }

        /** Adds another waiting request; returns null if the attempt has already been abandoned. */
        synchronized @Nullable CompletableFuture<ServedLease> join(Requester requester) {
            if (abandoned) {
                return null;
            }
            requests++;
            CompletableFuture<ServedLease> own = outcome.copy();
            requester.watch(() -> {
                leave();
                own.completeExceptionally(Problem.badRequest("The client has disconnected."));
            });
            return own;
        }

        private void leave() {
            boolean last;
            synchronized (this) {
                requests--;
                last = requests == 0 && !outcome.isDone();
                abandoned |= last;
            }
            if (last) {
                if (key != null) {
                    keys.remove(key, this);
                }
                cancel();
            }
        }

        /** Cancels the attempt. The lock itself releases a grant that arrives at the same moment. */
        void cancel() {
            CompletableFuture<Acquisition> asked;
            synchronized (this) {
                asked = running;
            }
            if (asked != null) {
                asked.cancel(true);
            }
        }
    }

    /** Replaces the server's name with the client that holds the lock, since the nodes only know the server as their client. */
    private String withHolder(String lock, String text) {
        ServedLease holder = latestByLock.get(lock);
        if (holder == null) {
            return text;
        }
        String label = owners.of(holder).label();
        String name = label == null ? holder.client : "'" + label + "' (" + holder.client + ")";
        String server = holdfast.client();
        return text.replace("by " + server.substring(0, server.indexOf('~')), "by " + name);
    }

    /** Returns the details for an event. They never contain an id, since an id grants access to the lease. */
    private ObjectNode about(ServedLease lease) {
        return owners.of(lease).json().put("token", lease.lease.fencingToken());
    }

    /** Records that a lease was extended, by its client or by the server. */
    public void extended(ServedLease lease) {
        lease.whileHeld(() -> events.add(
                Event.Type.EXTENDED,
                lease.lease.name(),
                about(lease).put("remainingMillis", lease.lease.remaining().toMillis())));
    }

    // ---- leases

    /** Returns the lease of that id, also for a while after its end. A lease of another client is treated as if it never existed. */
    public ServedLease find(Caller caller, String id) {
        ServedLease found = leases.get(id);
        if (found == null || !found.client.equals(caller.client())) {
            throw new Problem(
                    Problem.Kind.NOT_FOUND, "No lease of this id is known. If it existed, it ended long ago.");
        }
        caller.requireCovered(found.lease.name());
        return found;
    }

    /** Ends the lease that an operator has broken, if a client of this server holds it, and adds the event. */
    public void broken(BreakNotices.Notice notice) {
        ServedLease found = leases.values().stream()
                .filter(lease -> lease.lease.fencingToken() == notice.token()
                        && lease.lease.name().equals(notice.lock()))
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

    /** Ends a lease, with an event of this type; null if the event has already been added. */
    private void end(ServedLease lease, PendingAcquire pending, String how, Event.@Nullable Type type) {
        if (!lease.ends(how)) {
            return;
        }
        times.held(timing.ticker().nanos() - lease.grantedNanos);
        synchronized (ended) {
            ended.add(new Ended(lease.id, pending.key, pending));
            if (ended.size() > MOST_ENDED) {
                Ended oldest = ended.remove();
                leases.remove(oldest.id());
                if (oldest.key() != null) {
                    keys.remove(oldest.key(), oldest.pending());
                }
            }
        }
        if (type != null) {
            events.add(type, lease.lease.name(), about(lease));
        }
        latestByLock.remove(lease.lease.name(), lease);
        owners.forget(Owners.owner(lease.lease));
        noLongerHeld(lease.client);
    }

    private void noLongerHeld(String client) {
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
