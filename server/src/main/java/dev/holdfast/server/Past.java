package dev.holdfast.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Events of locks, kept for some time, so many of each lock, and so many in all. What is dropped for want of room is not hidden: {@link #from} says from
 * when on all is there. Not thread-safe.
 */
final class Past {

    private final long keptMillis;
    private final int mostOfALock;
    private final int mostInAll;
    private final Map<Long, Event> all = new LinkedHashMap<>();
    private final Map<String, Lane> lanes = new HashMap<>();

    /** What has happened until then may not be known any more, of any lock. */
    private long droppedMillis;

    /** The events of one lock. */
    private static final class Lane {
        private final Deque<Event> events = new ArrayDeque<>();
        private long droppedMillis;
    }

    /**
     * Nothing has happened yet.
     *
     * @param startMillis since when events are added
     * @param keptMillis how long an event is kept
     */
    Past(long startMillis, long keptMillis, int mostOfALock, int mostInAll) {
        this.droppedMillis = startMillis;
        this.keptMillis = keptMillis;
        this.mostOfALock = mostOfALock;
        this.mostInAll = mostInAll;
    }

    /** One more, of a lock. */
    void add(Event event) {
        Lane lane = lanes.computeIfAbsent(Objects.requireNonNull(event.lock()), lock -> new Lane());
        lane.events.add(event);
        all.put(event.number(), event);
        if (lane.events.size() > mostOfALock) {
            Event oldest = lane.events.remove();
            lane.droppedMillis = oldest.atMillis();
            all.remove(oldest.number());
        }
        forget(event.atMillis());
    }

    /** Drops what is too old by now, or too much. */
    void forget(long nowMillis) {
        Iterator<Event> oldest = all.values().iterator();
        while (oldest.hasNext()) {
            Event event = oldest.next();
            boolean old = event.atMillis() < nowMillis - keptMillis;
            if (!old && all.size() <= mostInAll) {
                return;
            }
            oldest.remove();
            droppedMillis = old ? droppedMillis : event.atMillis();
            dropFromLane(event);
        }
    }

    private void dropFromLane(Event event) {
        Lane lane = lanes.get(event.lock());
        if (lane != null) {
            lane.events.remove(); // which is this one, since those of a lock are dropped in their order
            if (lane.events.isEmpty()) {
                lanes.remove(event.lock());
            }
        }
    }

    /** What is kept of a lock, the oldest first. */
    List<Event> of(String lock) {
        Lane lane = lanes.get(lock);
        return lane == null ? List.of() : new ArrayList<>(lane.events);
    }

    /** From when on all events of a lock are there. */
    long from(String lock, long nowMillis) {
        Lane lane = lanes.get(lock);
        long dropped = lane == null ? droppedMillis : Math.max(droppedMillis, lane.droppedMillis);
        return Math.max(dropped, nowMillis - keptMillis);
    }

    /** How many events there are. */
    int size() {
        return all.size();
    }
}
