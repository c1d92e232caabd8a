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
 * Events of locks, kept for some time, so many of each lock, and so many in all. What is dropped for want of room is not hidden: {@link #from} says from
 * when on all is there. Not thread-safe.
 */
final class RecentEvents {

    private final long keptMillis;
    private final int mostOfALock;
    private final int mostInAll;
    private final Map<Long, Event> all = new LinkedHashMap<>();
    private final Map<String, LockEvents> byLock = new HashMap<>();

    /** What has happened until then may not be known any more, of any lock. */
    private long droppedMillis;

    /** The events of one lock. */
    private static final class LockEvents {
        private final Deque<Event> events = new ArrayDeque<>();
        private long droppedMillis;
    }

    /**
     * Nothing has happened yet.
     *
     * @param startMillis since when events are added
     * @param keptMillis how long an event is kept
     */
    RecentEvents(long startMillis, long keptMillis, int mostOfALock, int mostInAll) {
        this.droppedMillis = startMillis;
        this.keptMillis = keptMillis;
        this.mostOfALock = mostOfALock;
        this.mostInAll = mostInAll;
    }

    /** One more, of a lock. */
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
            dropFromLock(event);
        }
    }

    private void dropFromLock(Event event) {
        LockEvents ofLock = byLock.get(event.lock());
        if (ofLock != null) {
            ofLock.events.remove(); // which is this one, since those of a lock are dropped in their order
            if (ofLock.events.isEmpty()) {
                byLock.remove(event.lock());
            }
        }
    }

    /** What is kept of a lock, the oldest first. */
    List<Event> of(String lock) {
        LockEvents ofLock = byLock.get(lock);
        return ofLock == null ? List.of() : new ArrayList<>(ofLock.events);
    }

    /** From when on all events of a lock are there. */
    long from(String lock, long nowMillis) {
        LockEvents ofLock = byLock.get(lock);
        long dropped = ofLock == null ? droppedMillis : Math.max(droppedMillis, ofLock.droppedMillis);
        return Math.max(dropped, nowMillis - keptMillis);
    }

    /** How many events there are. */
    int size() {
        return all.size();
    }
}
