package dev.holdfast.server;

import dev.holdfast.time.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The last {@value #MOST_KEPT} events, and who is told of new ones. Thread-safe. */
final class EventLog {

    /** How many events a reader may have missed and still get all. */
    static final int MOST_KEPT = 4_096;

    private final Timing timing;

    /** What tells the events of this run from those of another. */
    private final String run;

    private final Deque<Event> kept = new ArrayDeque<>();
    private final Set<Consumer<Event>> readers = ConcurrentHashMap.newKeySet();
    private final Map<Event.Type, AtomicLong> counts = new EnumMap<>(Event.Type.class);
    private long number;

    EventLog(Timing timing) {
        this.timing = timing;
        this.run = Long.toString(timing.random().nextLong() >>> 4, Character.MAX_RADIX);
        for (Event.Type type : Event.Type.values()) {
            counts.put(type, new AtomicLong());
        }
    }

    /** How many events of this type there have been. */
    long count(Event.Type type) {
        return Objects.requireNonNull(counts.get(type)).get();
    }

    /** Writes it down and tells it to the readers, who must not block. */
    void add(Event.Type type, @Nullable String lock, ObjectNode details) {
        Objects.requireNonNull(counts.get(type)).incrementAndGet();
        synchronized (kept) { // all readers are told in the same order
            number++;
            Event event = Event.of(number, timing.ticker().wallMillis(), type, lock, details);
            kept.add(event);
            if (kept.size() > MOST_KEPT) {
                kept.remove();
            }
            readers.forEach(reader -> reader.accept(event));
        }
    }

    /** The number of the latest event, 0 if there was none. Whoever reads has been told of all up to it. */
    long latest() {
        synchronized (kept) {
            return number;
        }
    }

    /** The id of an event for readers that come back. */
    String id(long eventNumber) {
        return run + "." + eventNumber;
    }

    /**
     * From now on this reader is told, first of what it has missed.
     *
     * @param lastId the id of the last event that it knows, null if it knows none and wants none
     * @param missed run before that if it has missed events that are not known any more
     */
    void read(@Nullable String lastId, Consumer<Event> reader, Runnable missed) {
        synchronized (kept) {
            long last = lastId == null ? number : numberOf(lastId);
            long oldest = number - kept.size() + 1;
            if (last < oldest - 1) {
                missed.run();
            }
            List<Event> since = new ArrayList<>(kept);
            since.removeIf(event -> event.number() <= last);
            since.forEach(reader);
            readers.add(reader);
        }
    }

    /** Of an id of another run nothing is known: -1, since there may have been any number of events. */
    private long numberOf(String id) {
        String start = run + ".";
        if (!id.startsWith(start) || !id.substring(start.length()).matches("[0-9]{1,18}")) {
            return -1;
        }
        return Math.min(Long.parseLong(id.substring(start.length())), number);
    }

    void leave(Consumer<Event> reader) {
        readers.remove(reader);
    }
}
