package dev.holdfast.server.view;

import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The history of locks and nodes: the last ten minutes in memory, and, with a folder for data, a longer time on disk. Thread-safe. */
public final class LockHistory implements AutoCloseable {

    /** The maximum number of events in an answer. */
    private static final int MOST_EVENTS = 5_000;

    private static final long LEARNED_MILLIS = Duration.ofHours(1).toMillis();
    private static final Map<String, Event.Type> TYPES =
            Arrays.stream(Event.Type.values()).collect(Collectors.toMap(Json::word, Function.identity()));

    private final EventLog events;
    private final Timing timing;
    private final RecentHistory recent;
    private final @Nullable HistoryFiles files;
    private final long startedMillis;
    private final long keptMillis;

    private LockHistory(EventLog events, Timing timing, @Nullable HistoryFiles files, Duration kept) {
        this.events = events;
        this.timing = timing;
        this.recent = new RecentHistory(timing.ticker());
        this.files = files;
        this.startedMillis = timing.ticker().wallMillis();
        this.keptMillis =
                files == null ? RecentHistory.KEPT_MILLIS : Math.max(RecentHistory.KEPT_MILLIS, kept.toMillis());
    }

    /**
     * Starts to record the events. With a folder, first reads the holds and losses of the last hour from its files.
     *
     * @param data the server's folder for data; null if the history need not survive a restart
     * @param kept how long the files are kept; zero for no files
     * @throws IllegalArgumentException if the folder can't be used
     */
    public static LockHistory open(EventLog events, Timing timing, @Nullable Path data, Duration kept) {
        HistoryFiles files =
                data == null || kept.isZero() ? null : new HistoryFiles(data.resolve("history"), kept, timing);
        LockHistory history = new LockHistory(events, timing, files, kept);
        history.learn();
        events.read(null, false, history.recent, () -> {});
        if (files != null) {
            events.read(null, false, files, () -> {});
        }
        return history;
    }

    private void learn() {
        if (files != null) {
            long now = timing.ticker().wallMillis();
            files.read(now - LEARNED_MILLIS, now, line -> line.contains("\"lock\""), json -> {
                Event.Type type = TYPES.get(json.path("type").asString(""));
                if (type != null) {
                    recent.learn(new Event(
                            0,
                            json.path("atMillis").asLong(0),
                            type,
                            json.path("lock").asString(""),
                            json.toString()));
                }
            });
        }
    }

    RecentHistory recent() {
        return recent;
    }

    /**
     * Returns the events of a lock, and what happened to nodes and to this server during that time. Blocks while it reads files, if the time reaches
     * back further than memory does.
     *
     * @param fromMillis the first time; null for all that is in memory
     * @param toMillis the last time; null for now
     */
    public ObjectNode json(String lock, @Nullable Long fromMillis, @Nullable Long toMillis) {
        long latest = events.latest();
        long now = timing.ticker().wallMillis();
        RecentHistory.OfLock known = recent.of(lock, latest);
        long from = fromMillis == null ? known.fromMillis() : Math.max(fromMillis, now - keptMillis);
        long to = toMillis == null ? now : toMillis;
        Deque<JsonNode> found = new ArrayDeque<>();
        ArrayNode incidents = Json.MAPPER.createArrayNode();
        boolean[] more = new boolean[1];
        long knownFrom = known.fromMillis();
        if (files != null && from < known.fromMillis()) {
            long before = Math.min(to, known.fromMillis() - 1);
            String text = Json.MAPPER.writeValueAsString(lock);
            knownFrom = files.read(from, before, line -> line.contains(text), json -> {
                if (json.path("lock").asString("").equals(lock)) {
                    found.add(json);
                    more[0] |= dropFirst(found);
                }
            });
        }
        if (files != null) {
            files.read(from - LEARNED_MILLIS, to, line -> !line.contains("\"lock\""), incidents::add);
        } else {
            recent.incidents().forEach(event -> incidents.add(Json.MAPPER.readTree(event.data())));
            incidents.addObject().put("type", HistoryFiles.STARTED).put("atMillis", startedMillis);
        }
        for (Event event : known.events()) {
            if (event.atMillis() >= Math.max(from, known.fromMillis()) && event.atMillis() <= to) {
                found.add(Json.MAPPER.readTree(event.data()));
                more[0] |= dropFirst(found);
            }
        }
        ObjectNode json = Json.object();
        json.put("lock", lock);
        json.put("atMillis", now);
        json.put("fromMillis", more[0] ? found.getFirst().path("atMillis").asLong(0) : Math.max(from, knownFrom));
        json.put("extendedFromMillis", known.extendedFromMillis());
        json.put("lastEventId", events.id(latest));
        json.put("keptMillis", keptMillis);
        ArrayNode array = json.putArray("events");
        found.forEach(array::add);
        json.set("incidents", incidents);
        return json;
    }

    private static boolean dropFirst(Deque<JsonNode> found) {
        boolean tooMany = found.size() > MOST_EVENTS;
        if (tooMany) {
            found.remove();
        }
        return tooMany;
    }

    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
    }
}
