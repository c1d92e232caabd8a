package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Secret;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases and the waiters of the server's clients. Thread-safe.
 *
 * <p>The server finds a lease by its id, and by its Idempotency-Key, while it is held. Afterwards the lease is still known while it is one of the last
 * {@value LeaseRegistry#MOST_ENDED} that have ended.
 */
public final class Leases {

    private final Timing timing;
    private final Duration longestWait;
    private final LeaseKeys keys;
    private final LeaseRegistry registry;
    private final Acquires acquires;
    private final Adoptions adoptions;

    public Leases(
            Holdfast holdfast, Timing timing, LeaseLimits limits, EventLog events, Owners owners, LeaseKeys keys) {
        this.timing = timing;
        this.longestWait = limits.longestWait();
        this.keys = keys;
        this.registry = new LeaseRegistry(events, owners, limits.leases());
        this.acquires = new Acquires(holdfast, timing, limits, events, owners, registry);
        this.adoptions = new Adoptions(holdfast, timing, registry);
    }

    /** Sets the listener for how long clients wait for locks and hold them. */
    public void onTimes(LeaseTimes listener) {
        registry.onTimes(listener);
    }

    /** Sets the reading of the latest breaks, which precedes the verdict on a lease that ended without a request of its client. */
    public void readBreaksBy(Supplier<CompletionStage<Void>> reading) {
        adoptions.readBreaksBy(reading);
    }

    /** Returns the maximum wait of a request. */
    public Duration longestWait() {
        return longestWait;
    }

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
        return acquires.acquire(caller, request, text, requester, this::grant);
    }

    /** Makes a lease known, once the server can give it an id. */
    private CompletionStage<ServedLease> grant(Lease lease, Caller caller, LockRequest request, Runnable forgetKey) {
        return keys.ready().thenApply(ready -> {
            List<byte[]> known = request.isExtended() ? List.of() : keys.keys();
            boolean adoptable = !known.isEmpty();
            String id = adoptable
                    ? LeaseId.of(lease, request, timing.ticker().wallMillis()).text(caller.client(), known.get(0))
                    : Secret.drawn(timing.random());
            ServedLease made = new ServedLease(id, caller.client(), lease, request.ttl(), adoptable, timing.ticker());
            made.onForgotten(forgetKey);
            made.extendedHere(request.ttl());
            registry.add(made, request);
            lease.onLost(loss -> {
                if (request.isExtended()) {
                    registry.lost(made, loss);
                } else {
                    adoptions.lapsed(made, loss);
                }
            });
            registry.report(Event.Type.GRANTED, made, "ttlMillis", request.ttl().toMillis());
            if (request.isExtended()) {
                lease.onExtended(left -> extended(made, request.ttl()));
            }
            return made;
        });
    }

    /** Rejects the requests of these callers that wait, since their token has been removed. Leases that they hold end by their ttl. */
    public void reject(Predicate<Caller> whose) {
        acquires.reject(whose);
    }

    // ---- leases

    /** Records that a lease was extended, by its client or by the server. */
    public void extended(ServedLease lease, Duration ttl) {
        registry.extended(lease, ttl);
    }

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
        ServedLease known = registry.find(id);
        ServedLease found = known != null && known.client.equals(caller.client()) ? known : null;
        if (found != null && suffices.test(found)) {
            return certain(caller, found);
        }
        return keys.ready().thenCompose(ready -> continued(caller, id, found));
    }

    private CompletionStage<ServedLease> continued(Caller caller, String id, @Nullable ServedLease found) {
        LeaseId content = LeaseId.parse(id, caller.client(), keys.keys());
        if (content != null) {
            caller.requireCovered(content.request().lock());
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
        throw new Problem(
                Problem.Kind.NOT_FOUND,
                "No lease of this client has this id. It ended long ago, or belongs to another client.");
    }

    private static CompletionStage<ServedLease> certain(Caller caller, ServedLease found) {
        caller.requireCovered(found.lock);
        return CompletableFuture.completedFuture(found);
    }

    /** Completes with whether the nodes may still have a majority of votes for the lease. Another server may have released it. */
    public CompletionStage<Boolean> isAtNodes(ServedLease lease) {
        return adoptions.left(lease).thenApply(left -> left != Adoptions.Left.NOTHING);
    }

    /** Returns the latest break of the lease with this token; null if none is known. */
    public @Nullable BreakNotice breakOf(String lock, long token) {
        return registry.breakOf(lock, token);
    }

    /** Ends the lease that an operator has broken, if a client of this server holds it, and adds the event. */
    public void broken(BreakNotice notice) {
        registry.broken(notice);
    }

    /** Returns how many leases are held. */
    public int held() {
        return Math.max(registry.total() - waiting(), 0);
    }

    /** Returns how many requests wait for a lock, or for the answer of the nodes. */
    public int waiting() {
        return acquires.waiting();
    }

    // ---- the end

    /** Grants nothing from now on, and rejects all waiters. The future completes once the last lease has ended. */
    public CompletableFuture<Void> stop() {
        CompletableFuture<Void> idle = registry.stop();
        acquires.cancelAll();
        return idle;
    }

    public boolean isStopping() {
        return registry.isStopping();
    }
}
