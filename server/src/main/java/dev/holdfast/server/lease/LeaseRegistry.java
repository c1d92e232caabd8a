package dev.holdfast.server.lease;

import dev.holdfast.lock.Loss;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.ServerLogger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The leases of the server's clients, and the last {@value #MOST_ENDED} that have ended. It counts what each client holds or asks for, and adds an event for each
 * end. Thread-safe.
 */
final class LeaseRegistry {

    private static final System.Logger LOG = ServerLogger.get();

    /** How many ended leases the server remembers. */
    static final int MOST_ENDED = 10_000;

    private static final int MOST_BREAKS = 1_000;

    private final EventLog events;
    private final Owners owners;
    private final Quota quota;
    private final Map<String, ServedLease> leases = new ConcurrentHashMap<>();

    private final Deque<ServedLease> ended = new ArrayDeque<>();

    /** The latest breaks, of any server. Its monitor guards it. */
    private final Map<Broken, BreakNotice> breaks = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Broken, BreakNotice> eldest) {
            return size() > MOST_BREAKS;
        }
    };

    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean stopping;
    private volatile LeaseTimes times = LeaseTimes.IGNORED;

    /** A lease that was broken. */
    private record Broken(String lock, long token) {}

    /**
     * Creates a registry without leases.
     *
     * @param mostOfClient how many leases a client may have, including attempts to acquire one
     */
    LeaseRegistry(EventLog events, Owners owners, int mostOfClient) {
        this.events = events;
        this.owners = owners;
        this.quota = new Quota("client", "leases and waiting requests", mostOfClient);
    }

    /** Sets the listener for how long clients wait for locks and hold them. */
    void onTimes(LeaseTimes listener) {
        times = listener;
    }

    LeaseTimes times() {
        return times;
    }

    // ---- the count of each client

    /** Counts a lease that the client asks for, or throws a {@link dev.holdfast.server.message.Problem} at the limit. */
    void reserve(String client) {
        quota.add(client);
    }

    /** Counts a lease that the client already holds, even beyond the limit. */
    void count(String client) {
        quota.count(client);
    }

    /** Subtracts a lease that the client did not get, or no longer holds. */
    void free(String client) {
        quota.remove(client);
        completeIfIdle();
    }

    /** Returns how many leases clients hold or ask for. */
    int total() {
        return quota.total();
    }

    // ---- leases

    /** Returns the lease of that id, also for a while after its end; null if it is not known. */
    @Nullable
    ServedLease find(String id) {
        return leases.get(id);
    }

    /** Adds a lease that is counted already. */
    void add(ServedLease made, LockRequest request) {
        leases.put(made.id, made);
        owners.holds(made, request);
        made.onEnd(how -> end(made, how, how.equals(ServedLease.BROKEN) ? null : Event.Type.RELEASED));
    }

    /** Adds an event of a lease, with this detail. */
    void report(Event.Type type, ServedLease lease, String detail, long number) {
        events.add(type, lease.lock, about(lease).put(detail, number));
    }

    /** Returns the details for an event. They never contain an id, since an id grants access to the lease. */
    private ObjectNode about(ServedLease lease) {
        return owners.of(lease).json().put("token", lease.token);
    }

    /** Records that a lease was extended, by its client or by the server. */
    void extended(ServedLease lease, Duration ttl) {
        lease.extendedHere(ttl);
        lease.whileHeld(() -> report(Event.Type.EXTENDED, lease, "remainingMillis", lease.validMillis()));
    }

    // ---- the end of a lease

    /** Ends the lease that an operator has broken, if a client of this server holds it, and adds the event. */
    void broken(BreakNotice notice) {
        ServedLease found = leases.values().stream()
                .filter(lease -> lease.token == notice.token() && lease.lock.equals(notice.lock()))
                .findFirst()
                .orElse(null);
        ObjectNode details = found == null ? Json.object().put("token", notice.token()) : about(found);
        details.put("operator", notice.operator()).put("reason", notice.reason());
        events.add(Event.Type.BROKEN, notice.lock(), details);
        LOG.log(
                Level.WARNING,
                "'" + Printable.of(notice.operator()) + "' has broken the lease of '" + Printable.of(notice.lock())
                        + "' with token " + notice.token() + ": " + Printable.of(notice.reason(), 200));
        synchronized (breaks) {
            breaks.put(new Broken(notice.lock(), notice.token()), notice);
        }
        if (found != null) {
            found.endByOperator(notice);
        }
    }

    /** Returns the latest break of the lease with this token; null if none is known, which is also the case for a break of long ago. */
    @Nullable
    BreakNotice breakOf(String lock, long token) {
        synchronized (breaks) {
            return breaks.get(new Broken(lock, token));
        }
    }

    /** Ends a lease that is lost. */
    void lost(ServedLease lease, Loss loss) {
        boolean expired = loss.reason() == Loss.Reason.EXPIRED;
        if (end(lease, expired ? "expired" : "lost", expired ? Event.Type.EXPIRED : Event.Type.LOST)) {
            LOG.log(Level.WARNING, loss.toString());
        }
    }

    /** Ends a lease, with an event of this type; null if the event has already been added. Returns whether it had not ended before. */
    private boolean end(ServedLease lease, String how, Event.@Nullable Type type) {
        if (!lease.ends(how)) {
            return false;
        }
        times.held(lease.heldNanos());
        synchronized (ended) {
            ended.add(lease);
            if (ended.size() > MOST_ENDED) {
                ServedLease oldest = ended.remove();
                leases.remove(oldest.id, oldest);
                oldest.forgotten();
            }
        }
        leaves(lease, type);
        return true;
    }

    /** Forgets a lease that another server takes care of, with an event of this type; null for none. */
    void forget(ServedLease lease, Event.@Nullable Type type) {
        if (lease.ends("moved")) {
            leases.remove(lease.id, lease);
            lease.forgotten();
            lease.abandon();
            leaves(lease, type);
        }
    }

    private void leaves(ServedLease lease, Event.@Nullable Type type) {
        if (type != null) {
            events.add(type, lease.lock, about(lease));
        }
        owners.forget(lease.owner);
        free(lease.client);
    }

    // ---- the end of the server

    /** Completes once no client holds a lease or asks for one. */
    CompletableFuture<Void> stop() {
        stopping = true;
        completeIfIdle();
        return idle.copy();
    }

    boolean isStopping() {
        return stopping;
    }

    private void completeIfIdle() {
        if (stopping && quota.total() == 0) {
            idle.complete(null);
        }
    }
}
