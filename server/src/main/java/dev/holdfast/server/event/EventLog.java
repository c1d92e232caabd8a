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
 * The last {@value #MOST_KEPT} events, and the readers of new events. The last {@value #MOST_EXTENSIONS} extensions are kept separately, so that they displace
 * no other events. Thread-safe.
 */
public final class EventLog {

    private static final System.Logger LOG = ServerLogger.get();

    /** How many events a reader may have missed and can still receive. */
    public static final int MOST_KEPT = 4_096;

    /** How many extensions a reader may have missed and can still receive. */
    public static final int MOST_EXTENSIONS = 1_024;

    private final Timing timing;

    /** Distinguishes the events of this run from those of another run. */
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

    /** A ring of the last events of a kind. */
    private static final class Ring {

        private final int most;
        private final Deque<Event> events = new ArrayDeque<>();
        private volatile long dropped;

        Ring(int most) {
            this.most = most;
        }

        void add(Event event) {
            events.add(event);
            if (events.size() > most) {
                dropped = events.remove().number();
            }
        }

        /** Returns whether the ring still has all events after that one. */
        boolean hasAllSince(long last) {
            return last >= dropped;
        }

        Stream<Event> since(long last) {
            return events.stream().filter(event -> event.number() > last);
        }
    }

    /** Returns whether the log still keeps the event, so that a reader that keeps it too takes no more memory. Does not block. */
    public boolean keeps(Event event) {
        return event.number() > (event.type() == Event.Type.EXTENDED ? extensions : kept).dropped;
    }

    /** Returns how many events of this type have happened. */
    public long count(Event.Type type) {
        return Objects.requireNonNull(counts.get(type)).get();
    }

    /** Records an event, and passes it to the readers, which must not block. */
    public void add(Event.Type type, @Nullable String lock, ObjectNode details) {
        Objects.requireNonNull(counts.get(type)).incrementAndGet();
        synchronized (kept) { // all readers receive the events in the same order
            number++;
            Event event = Event.of(number, timing.ticker().wallMillis(), type, lock, details);
            (type == Event.Type.EXTENDED ? extensions : kept).add(event);
            readers.forEach(reader -> tell(reader, event));
        }
    }

    /** Passes the event to a reader. The event has already happened, so the failure of one reader must not keep it from the others. */
    private static void tell(Consumer<Event> reader, Event event) {
        try {
            reader.accept(event);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A reader of events failed", e);
        }
    }

    /** Returns the number of the latest event; 0 if there was none. All readers have received every event up to it. */
    public long latest() {
        synchronized (kept) {
            return number;
        }
    }

    /** Returns the id of an event, with which a reader can resume. */
    public String id(long eventNumber) {
        return run + "." + eventNumber;
    }

    /**
     * Registers a reader, which receives first the events that it has missed, and then all new events.
     *
     * @param lastId the id of the last event that the reader has received; null if it wants no earlier events
     * @param everyExtension whether a missed extension also counts as a missed event
     * @param missed runs before the first event if the reader has missed events that are no longer kept
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

    /** Returns the number of the event; -1 for an id of another run, since any number of events may have happened in between. */
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
