package dev.holdfast.server.view;

import dev.holdfast.server.event.Event;
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
 * Recent events of locks, with a limit of age, a limit for each lock, and a limit in total. {@link #from} reports since when all events are present, so that
 * dropped events are visible. Not thread-safe.
 */
final class RecentEvents {

    private final long keptMillis;
    private final int mostOfALock;
    private final int mostInAll;
    private final Map<Long, Event> all = new LinkedHashMap<>();
    private final Map<String, LockEvents> byLock = new HashMap<>();

    /** The time up to which events of any lock may have been dropped. */
    private long droppedMillis;

    /** The events of one lock. */
    private static final class LockEvents {
        private final Deque<Event> events = new ArrayDeque<>();
        private long droppedMillis;
    }

    /**
     * Creates an instance without events.
     *
     * @param startMillis the time since which events are added, in ms
     * @param keptMillis how long an event is kept, in ms
     */
    RecentEvents(long startMillis, long keptMillis, int mostOfALock, int mostInAll) {
        this.droppedMillis = startMillis;
        this.keptMillis = keptMillis;
        this.mostOfALock = mostOfALock;
        this.mostInAll = mostInAll;
    }

    /** Adds an event of a lock. */
    void add(Event event) {
        LockEvents ofLock = byLock.computeIfAbsent(Objects.requireNonNull(event.lock()), lock -> new LockEvents());
        ofLock.events.add(event);
        all.put(event.number(), event);
        if (ofLock.events.size() > mostOfALock) {
            Event oldest = ofLock.events.remove();
            ofLock.droppedMillis = oldest.atMillis();
            all.remove(oldest.number());
        }
        forget(event.atMillis());
    }

    /** Drops the events beyond the limits of age and number. */
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
            dropFromLock(event);
        }
    }

    private void dropFromLock(Event event) {
        LockEvents ofLock = byLock.get(event.lock());
        if (ofLock != null) {
            ofLock.events.remove(); // the removed event is this one, since the events of a lock are dropped in order
            if (ofLock.events.isEmpty()) {
                byLock.remove(event.lock());
            }
        }
    }

    /** Returns the kept events of a lock, the oldest first. */
    List<Event> of(String lock) {
        LockEvents ofLock = byLock.get(lock);
        return ofLock == null ? List.of() : new ArrayList<>(ofLock.events);
    }

    /** Returns the time since which all events of a lock are present. */
    long from(String lock, long nowMillis) {
        LockEvents ofLock = byLock.get(lock);
        long dropped = ofLock == null ? droppedMillis : Math.max(droppedMillis, ofLock.droppedMillis);
        return Math.max(dropped, nowMillis - keptMillis);
    }

    /** Returns how many events are kept. */
    int size() {
        return all.size();
    }
}
