package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Quota;
import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import dev.holdfast.time.Timing;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The streams of events that clients read. Thread-safe. */
public final class EventStreams {

    private final EventLog events;
    private final Timing timing;
    private final Quota quota;
    private final Map<EventStream, Caller> open = new ConcurrentHashMap<>();

    public EventStreams(EventLog events, Timing timing, int mostOfClient) {
        this.events = events;
        this.timing = timing;
        this.quota = new Quota("client", "event streams", mostOfClient);
    }

    /** Sends events until the client disconnects, or reads too slowly. */
    void start(Caller caller, Exchange exchange) {
        Map<String, String> query = exchange.query("prefix", "lock", "types");
        String prefix = query.getOrDefault("prefix", "");
        String lock = query.get("lock");
        if (lock != null && !prefix.isEmpty()) {
            throw Problem.badRequest("The parameters 'prefix' and 'lock' are given, but only one of them may be.");
        }
        String named = query.get("types");
        Set<Event.Type> types = types(named);
        boolean everyExtension = named != null && types.contains(Event.Type.EXTENDED);
        caller.requireCovered(lock == null ? prefix : lock);
        quota.add(caller.client());
        exchange.writeHead(200, Route.EVENTS.type + ";charset=utf-8", Map.of());
        Predicate<Event> wanted = event -> types.contains(event.type()) && isWanted(event, prefix, lock);
        EventStream stream = new EventStream(events, timing, exchange, wanted, everyExtension);
        open.put(stream, caller);
        stream.start(exchange.header("Last-Event-ID")).whenComplete((ended, failure) -> {
            open.remove(stream);
            quota.remove(caller.client());
        });
    }

    /** Ends the streams of these callers. */
    public void end(Predicate<Caller> whose) {
        open.forEach((stream, caller) -> {
            if (whose.test(caller)) {
                stream.drop();
            }
        });
    }

    /** Returns the types that the text names, separated by commas; all types if there is none. */
    private static Set<Event.Type> types(@Nullable String text) {
        if (text == null) {
            return EnumSet.allOf(Event.Type.class);
        }
        Set<Event.Type> types = EnumSet.noneOf(Event.Type.class);
        for (String word : text.split(",", -1)) {
            types.add(Arrays.stream(Event.Type.values())
                    .filter(type -> Json.word(type).equals(word))
                    .findFirst()
                    .orElseThrow(() -> Problem.badRequest("The parameter 'types' has '" + Printable.of(word)
                            + "', but must be some of "
                            + Arrays.stream(Event.Type.values()).map(Json::word).toList()
                            + ", separated by commas.")));
        }
        return types;
    }

    private static boolean isWanted(Event event, String prefix, @Nullable String only) {
        String lock = event.lock();
        return lock == null || (only == null ? lock.startsWith(prefix) : lock.equals(only));
    }
}
