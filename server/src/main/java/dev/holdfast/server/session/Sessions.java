package dev.holdfast.server.session;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.caller.Secret;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Timing;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The sessions there are. Thread-safe. */
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

    /** A new one, or a {@link Problem} if the client has too many. */
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

    /** The one of that id; null if there is none, be it that it has ended, or that it is another client's. */
    @Nullable
    SessionLeases find(Caller caller, String id) {
        SessionLeases found = sessions.get(id);
        return found != null && found.caller().client().equals(caller.client()) ? found : null;
    }

    public int count() {
        return sessions.size();
    }

    /** The server grants no more. */
    public void tellStopping() {
        sessions.values().forEach(session -> session.tell("stopping"));
    }

    /** Ends the connections of callers that have lost their token; they can't come back, so their sessions end with the grace, on which they may count. */
    public void cutOff(Predicate<Caller> whose, String why) {
        sessions.values().forEach(session -> {
            if (whose.test(session.caller())) {
                session.cutOff(why);
            }
        });
    }

    /** The server ends. */
    public void leaveBehind() {
        sessions.values().forEach(SessionLeases::leaveBehind);
    }
}
