package dev.holdfast.server.lease;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Waiting;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Problem;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An attempt on the nodes, for one request or for several with the same key. */
final class PendingAcquire {

    private final Leases leases;
    private final Caller caller;
    private final LockRequest request;
    private final Leases.@Nullable IdempotencyKey key;
    private final CompletableFuture<ServedLease> outcome = new CompletableFuture<>();
    private @Nullable CompletableFuture<Acquisition> running;
    private final long startNanos;
    private int requests;
    private boolean abandoned;
    private Owners.@Nullable Known inLine;
    private boolean decided;

    PendingAcquire(Leases leases, Caller caller, LockRequest request, Leases.@Nullable IdempotencyKey key) {
        this.leases = leases;
        this.startNanos = leases.timing.ticker().nanos();
        this.caller = caller;
        this.request = request;
        this.key = key;
    }

    void start() {
        if (leases.stopping) {
            throw Problem.stopping();
        }
        DistributedLock lock = leases.holdfast
                .lock(request.lock())
                .mode(request.mode())
                .ttl(request.ttl())
                .autoExtend(request.isExtended())
                .localHandOver(false)
                .onWaiting(this::onQueued);
        enter();
        leases.attempts.add(this);
        CompletableFuture<Acquisition> asked;
        try {
            asked = lock.tryAcquireAsync(request.patience());
        } catch (RuntimeException e) {
            leases.held.remove(caller.client());
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
        if (leases.stopping) {
            cancel();
        }
    }

    /**
     * Counts the attempt within all limits, or not at all. A request that does not wait never delays others, so it is exempt from the limit of the queue.
     */
    private void enter() {
        leases.held.add(caller.client());
        try {
            leases.waiting.add(caller.client());
            try {
                if (!request.patience().isZero()) {
                    leases.lines.add(request.lock());
                }
            } catch (Problem e) {
                leases.waiting.remove(caller.client());
                throw e;
            }
        } catch (Problem e) {
            leases.held.remove(caller.client());
            throw e;
        }
    }

    /** Records that the attempt waits; a worker calls this, possibly after the decision. */
    private synchronized void onQueued(Waiting state) {
        if (state.place() > 0 && inLine == null && !decided) {
            Owners.Known known = leases.owners.waits(state.owner(), caller.client(), request);
            inLine = known;
            leases.events.add(Event.Type.QUEUED, request.lock(), known.json().put("place", state.place()));
        }
    }

    private synchronized void leavesLine(boolean granted) {
        decided = true;
        running = null; // it leads to the lease and all that belongs to it
        Owners.Known known = inLine;
        if (known != null && !granted) {
            leases.owners.forget(known.owner());
            leases.events.add(Event.Type.LEFT, request.lock(), known.json());
        }
    }

    private void noLongerWaits() {
        leases.attempts.remove(this);
        leases.waiting.remove(caller.client());
        if (!request.patience().isZero()) {
            leases.lines.remove(request.lock());
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
        leavesLine(acquisition instanceof Acquisition.Held);
        leases.times.acquired(
                acquisition instanceof Acquisition.Held, leases.timing.ticker().nanos() - startNanos);
        if (acquisition instanceof Acquisition.Held made) {
            begin(made.lease());
            return;
        }
        leases.noLongerHeld(caller.client());
        if (acquisition instanceof Acquisition.Refused refused) {
            fails(Problem.of(refused.refusal(), text -> leases.withClient(refused.refusal(), text)));
        } else {
            fails(failure == null ? Problem.stopping() : Failures.problem(failure));
        }
    }

    /** Makes the lease known, once the server can give it an id. */
    private void begin(Lease lease) {
        leases.keys.ready().thenRun(() -> {
            try {
                granted(lease, leases.granted(lease, caller, request, key == null ? null : this));
            } catch (RuntimeException | Error e) { // as in onDecided
                fails(e);
                throw e;
            }
        });
    }

    private void granted(Lease lease, ServedLease made) {
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
        forgetKey();
        outcome.completeExceptionally(problem);
    }

    /** Adds another request with the same key; returns null if the request has to start a new attempt. */
    @Nullable
    CompletableFuture<ServedLease> again(LockRequest other, Requester requester) {
        if (!request.equals(other)) {
            throw new Problem(
                    Problem.Kind.KEY_REUSED,
                    "The Idempotency-Key was used for another lock, mode, ttl, wait, value or label; use a new one.");
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

    /** Adds another leases.waiting request; returns null if the attempt has already been abandoned. */
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

    /** Removes the Idempotency-Key of this attempt. */
    void forgetKey() {
        if (key != null) {
            leases.attemptsByKey.remove(key, this);
        }
    }
}
