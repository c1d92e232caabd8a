package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Waiting;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Timing;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The acquires of the server's clients that have no outcome yet, and those whose outcome a request with the same Idempotency-Key gets again. Thread-safe. */
final class Acquires {

    private final Holdfast holdfast;
    private final Timing timing;
    private final EventLog events;
    private final Owners owners;
    private final LeaseRegistry registry;
    private final Quota waiting;
    private final Quota queues;
    private final Map<IdempotencyKey, PendingAcquire> byKey = new ConcurrentHashMap<>();
    private final Set<PendingAcquire> pending = ConcurrentHashMap.newKeySet();

    Acquires(
            Holdfast holdfast,
            Timing timing,
            LeaseLimits limits,
            EventLog events,
            Owners owners,
            LeaseRegistry registry) {
        this.holdfast = holdfast;
        this.timing = timing;
        this.events = events;
        this.owners = owners;
        this.registry = registry;
        this.waiting = new Quota("client", "waiting requests", limits.waiters());
        this.queues = new Quota("lock", "requests in the queue", limits.queuePerLock());
    }

    /** The step that makes a lease of the nodes known to its client. */
    interface Granting {

        /**
         * Completes with the served lease.
         *
         * @param forgetKey removes the Idempotency-Key of the request; to be called when the lease is forgotten
         */
        CompletionStage<ServedLease> grant(Lease lease, Caller caller, LockRequest request, Runnable forgetKey);
    }

    /** An Idempotency-Key, which is unique within its client. */
    private record IdempotencyKey(String client, String text) {}

    /** A request that waits for the outcome of an attempt. */
    private static final class JoinedRequest {
        private final CompletableFuture<ServedLease> outcome = new CompletableFuture<>();
    }

    /** Queues a request, as {@link Leases#acquire} does. */
    CompletableFuture<ServedLease> acquire(
            Caller caller, LockRequest request, @Nullable String text, Requester requester, Granting granting) {
        if (text == null) {
            return started(new PendingAcquire(caller, request, null, granting), requester);
        }
        IdempotencyKey key = new IdempotencyKey(caller.client(), text);
        while (true) {
            PendingAcquire fresh = new PendingAcquire(caller, request, key, granting);
            PendingAcquire first = byKey.putIfAbsent(key, fresh);
            if (first == null) {
                return started(fresh, requester);
            }
            CompletableFuture<ServedLease> outcome = first.again(request, requester);
            if (outcome != null) {
                return outcome;
            }
            byKey.remove(key, first);
        }
    }

    private static CompletableFuture<ServedLease> started(PendingAcquire acquire, Requester requester) {
        CompletableFuture<ServedLease> outcome = acquire.join(requester);
        try {
            acquire.start();
        } catch (RuntimeException e) {
            acquire.fails(e);
            throw e;
        }
        return outcome == null ? CompletableFuture.failedFuture(Problem.stopping()) : outcome;
    }

    /** Returns how many requests wait for a lock, or for the answer of the nodes. */
    int waiting() {
        return waiting.total();
    }

    /** Rejects all waiters. The registry rejects new ones. */
    void cancelAll() {
        pending.forEach(PendingAcquire::cancel);
    }

    /** Rejects the waiters of these callers. */
    void reject(Predicate<Caller> whose) {
        pending.stream().filter(acquire -> whose.test(acquire.caller)).forEach(PendingAcquire::reject);
    }

    /** An attempt on the nodes, for one request or for several with the same key. */
    private final class PendingAcquire {
        private final Caller caller;
        private final LockRequest request;
        private final @Nullable IdempotencyKey key;
        private final Granting granting;
        private final CompletableFuture<ServedLease> outcome = new CompletableFuture<>();
        private @Nullable CompletableFuture<Acquisition> running;
        private final long startNanos = timing.ticker().nanos();

        /** The requests without an outcome. One whose client has disconnected is not kept: clients may repeat a request for as long as it waits. */
        private final Set<JoinedRequest> requests = new HashSet<>();

        private boolean abandoned;
        private Owners.@Nullable Known queued;
        private boolean decided;

        PendingAcquire(Caller caller, LockRequest request, @Nullable IdempotencyKey key, Granting granting) {
            this.caller = caller;
            this.request = request;
            this.key = key;
            this.granting = granting;
            outcome.whenComplete(this::answer);
        }

        private void answer(ServedLease made, @Nullable Throwable failure) {
            List<JoinedRequest> joined;
            synchronized (this) {
                joined = List.copyOf(requests);
                requests.clear();
            }
            if (failure == null) {
                joined.forEach(other -> other.outcome.complete(made));
            } else {
                joined.forEach(other -> other.outcome.completeExceptionally(failure));
            }
        }

        void start() {
            if (registry.isStopping()) {
                throw Problem.stopping();
            }
            DistributedLock lock = holdfast.lock(request.lock())
                    .mode(request.mode())
                    .ttl(request.ttl())
                    .autoExtend(request.isExtended())
                    .localHandOver(false)
                    .label(new ServedClient(caller.client(), request.label()).name())
                    .onWaiting(this::onQueued);
            enter();
            pending.add(this);
            CompletableFuture<Acquisition> asked;
            try {
                asked = lock.tryAcquireAsync(request.patience());
            } catch (RuntimeException e) {
                registry.free(caller.client());
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
            if (registry.isStopping()) {
                cancel();
            }
        }

        /**
         * Counts the attempt within all limits, or not at all. A request that does not wait never delays others, so it is exempt from the limit of the queue.
         */
        private void enter() {
            registry.reserve(caller.client());
            try {
                waiting.add(caller.client());
                try {
                    if (!request.patience().isZero()) {
                        queues.add(request.lock());
                    }
                } catch (Problem e) {
                    waiting.remove(caller.client());
                    throw e;
                }
            } catch (Problem e) {
                registry.free(caller.client());
                throw e;
            }
        }

        /** Records that the attempt waits; a worker calls this, possibly after the decision. */
        private synchronized void onQueued(Waiting state) {
            if (state.place() > 0 && queued == null && !decided) {
                Owners.Known known = owners.waits(state.owner(), caller.client(), request);
                queued = known;
                events.add(Event.Type.QUEUED, request.lock(), known.json().put("place", state.place()));
            }
        }

        private synchronized void leavesQueue(boolean granted) {
            decided = true;
            running = null; // it leads to the lease and all that belongs to it
            Owners.Known known = queued;
            if (known != null && !granted) {
                owners.forget(known.owner());
                events.add(Event.Type.LEFT, request.lock(), known.json());
            }
        }

        private void noLongerWaits() {
            pending.remove(this);
            waiting.remove(caller.client());
            if (!request.patience().isZero()) {
                queues.remove(request.lock());
            }
        }

        private void setRunning(CompletableFuture<Acquisition> asked) {
            boolean late;
            synchronized (this) {
                running = decided ? null : asked;
                late = abandoned;
            }
            if (late) {
                asked.cancel(true);
            }
        }

        private void onDecided(@Nullable Acquisition acquisition, @Nullable Throwable failure) {
            noLongerWaits();
            leavesQueue(acquisition instanceof Acquisition.Held);
            registry.times()
                    .acquired(
                            acquisition instanceof Acquisition.Held,
                            timing.ticker().nanos() - startNanos);
            if (acquisition instanceof Acquisition.Held made) {
                begin(made.lease());
                return;
            }
            registry.free(caller.client());
            if (acquisition instanceof Acquisition.Refused refused) {
                fails(Problem.of(refused.refusal()));
            } else {
                fails(failure == null ? Problem.stopping() : Failures.problem(failure));
            }
        }

        private void begin(Lease lease) {
            granting.grant(lease, caller, request, this::forgetKey).whenComplete((made, failure) -> {
                if (failure == null) {
                    granted(lease, made);
                } else {
                    fails(failure);
                }
            });
        }

        private void granted(Lease lease, ServedLease made) {
            String value = request.value();
            if (value == null) {
                give(made);
            } else {
                lease.writeValueAsync(value).whenComplete((written, failure) -> {
                    if (failure == null) {
                        made.recordWrite(written);
                    }
                    give(made);
                });
            }
        }

        /** Completes with the lease, or releases it if the attempt was rejected at the same moment. */
        private void give(ServedLease made) {
            if (!outcome.complete(made)) {
                made.release();
            }
        }

        /** Completes with the problem. The server does not remember a rejection, so a client that retries with the key gets another chance. */
        void fails(Throwable problem) {
            synchronized (this) {
                abandoned = true;
            }
            forgetKey();
            outcome.completeExceptionally(problem);
        }

        /** Adds another request with the same key; returns null if the request has to start a new attempt. */
        @Nullable
        CompletableFuture<ServedLease> again(LockRequest other, Requester requester) {
            if (!request.equals(other)) {
                throw new Problem(
                        Problem.Kind.KEY_REUSED,
                        "The Idempotency-Key was used for another lock, mode, ttl, wait, value or label; use a new"
                                + " one.");
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
                                    .with("lock", made.lock);
                        }
                        return made;
                    });
        }

        /** Adds another waiting request; returns null if the attempt has already been abandoned. */
        synchronized @Nullable CompletableFuture<ServedLease> join(Requester requester) {
            if (abandoned) {
                return null;
            }
            if (outcome.isDone()) {
                return outcome.copy();
            }
            JoinedRequest own = new JoinedRequest();
            requests.add(own);
            requester.watch(() -> {
                leave(own);
                own.outcome.completeExceptionally(Problem.badRequest("The client has disconnected."));
            });
            return own.outcome;
        }

        private void leave(JoinedRequest own) {
            boolean last;
            synchronized (this) {
                requests.remove(own);
                last = requests.isEmpty() && !outcome.isDone();
                abandoned |= last;
            }
            if (last) {
                forgetKey();
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

        /** Ends the attempt of a client whose token is gone. */
        void reject() {
            fails(new Problem(Problem.Kind.UNAUTHORIZED, "The token is not known here any more."));
            cancel();
        }

        /** Removes the Idempotency-Key of this attempt. */
        void forgetKey() {
            if (key != null) {
                byKey.remove(key, this);
            }
        }
    }
}
