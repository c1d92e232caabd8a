package dev.holdfast.server.session;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.caller.Secret;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Timing;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The open sessions. Thread-safe. */
public final class Sessions {

    private final Timing timing;
    private final long graceMillis;
    private final Quota quota;
    private final Map<String, SessionLeases> sessions = new ConcurrentHashMap<>();

    public Sessions(Timing timing, int mostOfClient, long graceMillis) {
        this.timing = timing;
        this.graceMillis = graceMillis;
        this.quota = new Quota("client", "sessions", mostOfClient);
    }

    /** Opens a session, or throws a {@link Problem} if the client has too many. */
    SessionLeases open(Caller caller) {
        quota.add(caller.client());
        SessionLeases made = new SessionLeases(Secret.drawn(timing.random()), caller, timing, graceMillis, this::onEnd);
        sessions.put(made.id(), made);
        return made;
    }

    private void onEnd(SessionLeases ended) {
        if (sessions.remove(ended.id(), ended)) {
            quota.remove(ended.caller().client());
        }
    }

    /** Returns the session of that id; null if it does not exist, has ended, or belongs to another client. */
    @Nullable
    SessionLeases find(Caller caller, String id) {
        SessionLeases found = sessions.get(id);
        return found != null && found.caller().client().equals(caller.client()) ? found : null;
    }

    public int count() {
        return sessions.size();
    }

    /** Notifies all clients that the server grants no more locks. */
    public void tellStopping() {
        sessions.values().forEach(session -> session.tell("stopping"));
    }

    /** Ends all sessions with the server, and leaves their leases on the nodes. */
    public void leaveBehind() {
        sessions.values().forEach(SessionLeases::leaveBehind);
    }
}
