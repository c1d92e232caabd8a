package dev.holdfast.server.session;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.lease.ServedLease;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.socket.SocketWriter;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A session: the leases of a client that the server extends while it hears from the client. Thread-safe.
 *
 * <p>The session ends when the server has heard nothing from the client for the grace, connected or not; then the server releases all its leases. The
 * client counts the grace from the moment it sent the last answered message, so its count ends before the server's. The client has therefore stopped
 * relying on the locks before they go to other clients. The server waits a little longer, since its clock may run faster.
 */
final class SessionLeases {

    private static final long DRIFT_DIVISOR = 50;
    private static final long DRIFT_MILLIS = 2;
    private static final int MOST_LOST = 100;

    private final String id;
    private final Caller caller;
    private final Timing timing;
    private final long graceMillis;
    private final Consumer<SessionLeases> onEnd;
    private final Map<String, ServedLease> leases = new ConcurrentHashMap<>();

    /** The ids of leases that the client has asked to release or seal, until the nodes have answered. */
    private final Set<String> ending = ConcurrentHashMap.newKeySet();

    /** The latest leases that the client has lost. Its monitor guards it. */
    private final Map<String, ServedLease> lost = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ServedLease> eldest) {
            return size() > MOST_LOST;
        }
    };

    private @Nullable SessionConversation attached;
    private @Nullable Timer timer;
    private long heardNanos;
    private boolean over;

    /**
     * Creates a session without leases.
     *
     * @param id the secret with which the client resumes the session
     * @param onEnd runs once when the session has ended
     */
    SessionLeases(String id, Caller caller, Timing timing, long graceMillis, Consumer<SessionLeases> onEnd) {
        this.id = id;
        this.caller = caller;
        this.timing = timing;
        this.graceMillis = graceMillis;
        this.onEnd = onEnd;
    }

    String id() {
        return id;
    }

    Caller caller() {
        return caller;
    }

    long graceMillis() {
        return graceMillis;
    }

    // ---- the client's connection

    /** Attaches a connection, which replaces any previous one; returns false if the session has ended. */
    boolean attach(SessionConversation conversation) {
        SessionConversation before;
        synchronized (this) {
            if (over) {
                return false;
            }
            before = attached;
            attached = conversation;
        }
        if (before != null) {
            before.end(SocketWriter.POLICY, "the session continues on another connection");
        }
        return heard();
    }

    /** Detaches a connection that has ended. The session waits for another. */
    synchronized void detach(SessionConversation conversation) {
        if (attached == conversation) {
            attached = null;
        }
    }

    /** Records that the client has sent something; returns false if that is too late. */
    synchronized boolean heard() {
        if (over) {
            return false;
        }
        heardNanos = timing.ticker().nanos();
        if (timer == null) {
            timer = timing.scheduler().schedule(waitNanos(), this::look);
        }
        return true;
    }

    private long waitNanos() {
        return TimeUnit.MILLISECONDS.toNanos(graceMillis + graceMillis / DRIFT_DIVISOR + DRIFT_MILLIS);
    }

    private void look() {
        synchronized (this) {
            long left = waitNanos() - (timing.ticker().nanos() - heardNanos);
            if (over || left > 0) {
                timer = over ? null : timing.scheduler().schedule(left, this::look);
                return;
            }
        }
        timing.scheduler().execute(() -> end("the client has sent nothing for " + DurationText.ofMillis(graceMillis)));
    }

    /** Returns for how many ms the client may rely on its leases, counted from its request: the grace, or less if a lease ends earlier without a request. */
    long validMillis() {
        long valid = graceMillis;
        for (ServedLease lease : leases.values()) {
            if (!ending.contains(lease.id) && !lease.isEndedByClient()) {
                valid = Math.min(valid, lease.remainingMillis());
            }
        }
        return valid;
    }

    // ---- leases

    /** Adds a new lease of the client. Returns false if the session has ended; then the lease is released. */
    boolean holds(ServedLease made) {
        made.limitTo(() -> graceMillis);
        boolean late;
        synchronized (this) {
            late = over;
            if (!late) {
                leases.put(made.id, made);
            }
        }
        if (late) {
            giveBack(made);
            return false;
        }
        made.onLost(loss -> onLost(made, Json.object().put("reason", Json.word(loss.reason()))));
        made.onBroken(notice -> onLost(
                made,
                Json.object()
                        .put("reason", "broken")
                        .put("operator", notice.operator())
                        .put("detail", notice.reason())));
        made.onContended(() -> tell("contended", made, Json.object()));
        return true;
    }

    private void onLost(ServedLease lease, ObjectNode why) {
        if (leases.remove(lease.id, lease)) {
            ending.remove(lease.id);
            synchronized (lost) {
                lost.put(lease.id, lease);
            }
            tell("lost", lease, why);
        }
    }

    /** Returns the lease of that id, or throws a {@link Problem} if the session does not hold it. */
    ServedLease lease(String leaseId) {
        ServedLease held = leases.get(leaseId);
        if (held != null) {
            return held;
        }
        synchronized (lost) {
            ServedLease former = lost.get(leaseId);
            throw former != null
                    ? former.ended()
                    : new Problem(
                            Problem.Kind.LEASE_ENDED,
                            "This session has no lease of that id: it never had, or the lease has ended.");
        }
    }

    /** Returns the leases that the client may still hold. It may have released others by requests outside of the session. */
    List<ServedLease> leases() {
        return leases.values().stream()
                .filter(lease -> !lease.isEndedByClient())
                .toList();
    }

    /** Notes that the client has asked to end a lease: it no longer relies on it. */
    void startEnding(ServedLease lease) {
        ending.add(lease.id);
    }

    /** Removes a lease that the client has ended. */
    void holdsNoLonger(ServedLease lease) {
        leases.remove(lease.id, lease);
        ending.remove(lease.id);
    }

    private void tell(String event, ServedLease lease, ObjectNode more) {
        SessionConversation conversation;
        synchronized (this) {
            conversation = attached;
        }
        if (conversation != null) {
            ObjectNode json = Json.object()
                    .put("event", event)
                    .put("lease", lease.id)
                    .put("lock", lease.lock)
                    .put("token", lease.token);
            conversation.tell(json.setAll(more));
        }
    }

    /** Sends the client an event that concerns no lease. */
    void tell(String event) {
        SessionConversation conversation;
        synchronized (this) {
            conversation = attached;
        }
        if (conversation != null) {
            conversation.tell(Json.object().put("event", event));
        }
    }

    // ---- the end

    /** Releases all leases, and ends the connection. The future completes when the nodes that answer have released them. */
    CompletableFuture<Void> end(String why) {
        SessionConversation conversation;
        synchronized (this) {
            if (over) {
                return CompletableFuture.completedFuture(null);
            }
            conversation = leave();
        }
        CompletableFuture<?>[] given =
                leases.values().stream().map(SessionLeases::giveBack).toArray(CompletableFuture<?>[]::new);
        leases.clear();
        onEnd.accept(this);
        return CompletableFuture.allOf(given).whenComplete((done, failure) -> {
            if (conversation != null) {
                conversation.end(SocketWriter.NORMAL, why);
            }
        });
    }

    /** Ends with the server. The leases stay on the nodes until their ttl ends, since the client relies on them. */
    void leaveBehind() {
        SessionConversation conversation;
        synchronized (this) {
            conversation = leave();
        }
        if (conversation != null) {
            conversation.end(SocketWriter.GOING_AWAY, "the server is stopping");
        }
    }

    private @Nullable SessionConversation leave() {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
        SessionConversation conversation = attached;
        attached = null;
        return conversation;
    }

    private static CompletableFuture<?> giveBack(ServedLease lease) {
        return lease.release().toCompletableFuture();
    }
}
