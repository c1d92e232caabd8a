package dev.holdfast.server.view;

import dev.holdfast.server.event.Event;
import dev.holdfast.time.Ticker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The last ten minutes of every lock, for users who open the page late. The history's memory has a bound. With very many events the history reaches less far
 * back, and reports that. Extensions, the majority of all events, have a separate limit, so that they displace no other events. Thread-safe.
 */
final class RecentHistory implements Consumer<Event> {

    /** How far back the history reaches, in ms. */
    static final long KEPT_MILLIS = 600_000;

    /** How far back the history counts losses, in ms. */
    static final long LOSSES_MILLIS = 300_000;

    private static final int MOST_OF_A_LOCK = 400;
    private static final int MOST_EVENTS = 40_000;
    private static final int MOST_EXTENSIONS = 20_000;
    private static final int MOST_LOSSES = 20_000;
    private static final int MOST_INCIDENTS = 1_000;

    private final Ticker ticker;
    private final RecentEvents events;
    private final RecentEvents extensions;
    private final Deque<Event> losses = new ArrayDeque<>();
    private final Deque<Event> incidents = new ArrayDeque<>();
    private final Holds holds = new Holds();

    RecentHistory(Ticker ticker) {
        this.ticker = ticker;
        long now = ticker.wallMillis();
        this.events = new RecentEvents(now, KEPT_MILLIS, MOST_OF_A_LOCK, MOST_EVENTS);
        this.extensions = new RecentEvents(now, KEPT_MILLIS, MOST_OF_A_LOCK, MOST_EXTENSIONS);
    }

    /**
     * The known events of one lock.
     *
     * @param events the oldest first
     * @param fromMillis the time since which all events except extensions are present
     * @param extendedFromMillis the time since which extensions are present too
     */
    record OfLock(List<Event> events, long fromMillis, long extendedFromMillis) {}

    /**
     * The numbers of leases that ended before their clients released them.
     *
     * @param lost the leases that were broken, or lost with the state of the nodes
     * @param expired the leases that were not extended in time
     */
    record Losses(int lost, int expired) {}

    @Override
    public synchronized void accept(Event event) {
        if (event.lock() == null) {
            incidents.add(event);
            dropIncidents(event.atMillis());
            return;
        }
        (event.type() == Event.Type.EXTENDED ? extensions : events).add(event);
        learn(event);
    }

    /** Adds the hold and the loss that an event of an earlier run of this server reports. */
    synchronized void learn(Event event) {
        holds.add(event);
        if (event.lock() != null && isLoss(event)) {
            losses.add(event);
            dropLosses(event.atMillis());
        }
    }

    private void dropIncidents(long nowMillis) {
        Event oldest = incidents.peek();
        while (oldest != null && (oldest.atMillis() < nowMillis - KEPT_MILLIS || incidents.size() > MOST_INCIDENTS)) {
            incidents.remove();
            oldest = incidents.peek();
        }
    }

    /** Returns the events of nodes in the last ten minutes, the oldest first. */
    synchronized List<Event> incidents() {
        dropIncidents(ticker.wallMillis());
        return List.copyOf(incidents);
    }

    private static boolean isLoss(Event event) {
        return event.type() == Event.Type.LOST
                || event.type() == Event.Type.BROKEN
                || event.type() == Event.Type.EXPIRED;
    }

    private void dropLosses(long nowMillis) {
        Event oldest = losses.peek();
        while (oldest != null && (oldest.atMillis() < nowMillis - LOSSES_MILLIS || losses.size() > MOST_LOSSES)) {
            losses.remove();
            oldest = losses.peek();
        }
    }

    /**
     * Returns the known events of a lock.
     *
     * @param latest the number of the last event to return
     */
    synchronized OfLock of(String lock, long latest) {
        long now = ticker.wallMillis();
        events.forget(now);
        extensions.forget(now);
        List<Event> together = new ArrayList<>(events.of(lock));
        together.addAll(extensions.of(lock));
        together.removeIf(event -> event.number() > latest);
        together.sort(Comparator.comparingLong(Event::number));
        return new OfLock(together, events.from(lock, now), extensions.from(lock, now));
    }

    /** Returns the losses of the last five minutes among the locks of these names. The history counts at most the last 20,000 losses of all locks. */
    synchronized Losses losses(Predicate<String> names) {
        dropLosses(ticker.wallMillis());
        int lost = 0;
        int expired = 0;
        for (Event event : losses) {
            String lock = event.lock();
            if (lock != null && names.test(lock)) {
                lost += event.type() == Event.Type.LOST || event.type() == Event.Type.BROKEN ? 1 : 0;
                expired += event.type() == Event.Type.EXPIRED ? 1 : 0;
            }
        }
        return new Losses(lost, expired);
    }

    /** Returns the last losses of the last five minutes among the locks of these names, the latest first. */
    synchronized List<Event> latestLosses(Predicate<String> names, int most) {
        dropLosses(ticker.wallMillis());
        List<Event> found = new ArrayList<>();
        for (Iterator<Event> latest = losses.descendingIterator(); latest.hasNext() && found.size() < most; ) {
            Event event = latest.next();
            if (event.lock() != null && names.test(event.lock())) {
                found.add(event);
            }
        }
        return found;
    }

    /** Returns the last loss of each lock that had one in the last five minutes. */
    synchronized Map<String, Event> lossesByLock() {
        dropLosses(ticker.wallMillis());
        Map<String, Event> last = new HashMap<>();
        losses.forEach(event -> last.put(Objects.requireNonNull(event.lock()), event));
        return last;
    }

    /** Returns the locks of these names whose last loss in the last five minutes is a break, the latest first and each once. */
    synchronized Set<String> broken(Predicate<String> names, int most) {
        dropLosses(ticker.wallMillis());
        Set<String> seen = new HashSet<>();
        Set<String> broken = new LinkedHashSet<>();
        for (Iterator<Event> latest = losses.descendingIterator(); latest.hasNext() && broken.size() < most; ) {
            Event event = latest.next();
            String lock = Objects.requireNonNull(event.lock());
            if (seen.add(lock) && event.type() == Event.Type.BROKEN && names.test(lock)) {
                broken.add(lock);
            }
        }
        return broken;
    }

    /** Returns the recent holds of the locks. */
    Holds holds() {
        return holds;
    }

    /** Returns how many events the history keeps. */
    synchronized int size() {
        return events.size() + extensions.size();
    }
}
