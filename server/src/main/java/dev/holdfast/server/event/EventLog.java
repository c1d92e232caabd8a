package dev.holdfast.server.event;

import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The last {@value #MOST_KEPT} events and, apart from them so that they push nothing else out, the last {@value #MOST_EXTENSIONS} extensions; and who is told of
 * new ones. Thread-safe.
 */
public final class EventLog {

    private static final System.Logger LOG = ServerLogger.get();

    /** How many events a reader may have missed and still get all. */
    public static final int MOST_KEPT = 4_096;

    /** The same for extensions. */
    public static final int MOST_EXTENSIONS = 1_024;

    private final Timing timing;

    /** What tells the events of this run from those of another. */
    private final String run;

    private final Ring kept = new Ring(MOST_KEPT);
    private final Ring extensions = new Ring(MOST_EXTENSIONS);
    private final Set<Consumer<Event>> readers = ConcurrentHashMap.newKeySet();
    private final Map<Event.Type, AtomicLong> counts = new EnumMap<>(Event.Type.class);
    private long number;

    public EventLog(Timing timing) {
        this.timing = timing;
        this.run = Long.toString(timing.random().nextLong() >>> 4, Character.MAX_RADIX);
        for (Event.Type type : Event.Type.values()) {
            counts.put(type, new AtomicLong());
        }
    }

    /** The last so many events of a kind. */
    private static final class Ring {

        private final int most;
        private final Deque<Event> events = new ArrayDeque<>();
        private long dropped;

        Ring(int most) {
            this.most = most;
        }

        void add(Event event) {
            events.add(event);
            if (events.size() > most) {
                dropped = events.remove().number();
            }
        }

        /** Whether none after that one has been dropped. */
        boolean hasAllSince(long last) {
            return last >= dropped;
        }

        Stream<Event> since(long last) {
            return events.stream().filter(event -> event.number() > last);
        }
    }

    /** How many events of this type there have been. */
    public long count(Event.Type type) {
        return Objects.requireNonNull(counts.get(type)).get();
    }

    /** Writes it down and tells it to the readers, who must not block. */
    public void add(Event.Type type, @Nullable String lock, ObjectNode details) {
        Objects.requireNonNull(counts.get(type)).incrementAndGet();
        synchronized (kept) { // all readers are told in the same order
            number++;
            Event event = Event.of(number, timing.ticker().wallMillis(), type, lock, details);
            (type == Event.Type.EXTENDED ? extensions : kept).add(event);
            readers.forEach(reader -> tell(reader, event));
        }
    }

    /** What is told has happened: a reader that fails must not undo half of it. */
    private static void tell(Consumer<Event> reader, Event event) {
        try {
            reader.accept(event);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A reader of events failed", e);
        }
    }

    /** The number of the latest event, 0 if there was none. Whoever reads has been told of all up to it. */
    public long latest() {
        synchronized (kept) {
            return number;
        }
    }

    /** The id of an event for readers that come back. */
    public String id(long eventNumber) {
        return run + "." + eventNumber;
    }

    /**
     * From now on this reader is told, first of what it has missed.
     *
     * @param lastId the id of the last event that it knows, null if it knows none and wants none
     * @param everyExtension whether it wants them all, and not only as many as come
     * @param missed run before that if it has missed events that are not known any more
     */
    public void read(@Nullable String lastId, boolean everyExtension, Consumer<Event> reader, Runnable missed) {
        synchronized (kept) {
            long last = lastId == null ? number : numberOf(lastId);
            if (!kept.hasAllSince(last) || (everyExtension && !extensions.hasAllSince(last))) {
                missed.run();
            }
            Stream.concat(kept.since(last), extensions.since(last))
                    .sorted(Comparator.comparingLong(Event::number))
                    .forEach(reader);
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

    public void leave(Consumer<Event> reader) {
        readers.remove(reader);
    }
}
