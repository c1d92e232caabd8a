package dev.holdfast.server.view;

import dev.holdfast.server.event.Event;
import dev.holdfast.server.message.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The durations of the last holds of each lock by this server's clients. Memory has a bound: the locks that were used longest ago are dropped. Thread-safe. */
final class Holds {

    /** The number of holds below which a median says too little. */
    static final int FEWEST = 5;

    private static final int MOST_OF_A_LOCK = 100;
    private static final int MOST_LOCKS = 10_000;

    private final Map<String, Deque<Long>> byLock = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Long>> eldest) {
            return size() > MOST_LOCKS;
        }
    };

    /**
     * The recent holds of a lock.
     *
     * @param millis how long each lasted, the oldest first
     */
    record OfLock(List<Long> millis) {

        OfLock {
            millis = List.copyOf(millis);
        }

        /** Returns the median in ms; infinite if fewer than {@link #FEWEST} holds are known. */
        double medianMillis() {
            return millis.size() < FEWEST ? Double.POSITIVE_INFINITY : quantile(0.5);
        }

        private long quantile(double part) {
            int place = (int) Math.round(part * (millis.size() - 1));
            return millis.stream().sorted().toList().get(place);
        }

        ObjectNode json() {
            ObjectNode json = Json.object();
            boolean enough = millis.size() >= FEWEST;
            json.put("medianMillis", enough ? Long.valueOf(quantile(0.5)) : null);
            json.put("p90Millis", enough ? Long.valueOf(quantile(0.9)) : null);
            ArrayNode array = json.putArray("millis");
            millis.forEach(array::add);
            return json;
        }
    }

    /** Adds the hold that this event ended, if it ended one whose start is known. */
    synchronized void add(Event event) {
        if (event.lock() != null && endsHold(event.type())) {
            long sinceMillis =
                    Json.MAPPER.readTree(event.data()).path("sinceMillis").asLong(0);
            if (sinceMillis > 0) {
                Deque<Long> holds = byLock.computeIfAbsent(event.lock(), lock -> new ArrayDeque<>());
                holds.add(Math.max(0, event.atMillis() - sinceMillis));
                if (holds.size() > MOST_OF_A_LOCK) {
                    holds.remove();
                }
            }
        }
    }

    private static boolean endsHold(Event.Type type) {
        return type == Event.Type.RELEASED
                || type == Event.Type.EXPIRED
                || type == Event.Type.LOST
                || type == Event.Type.BROKEN;
    }

    synchronized OfLock of(String lock) {
        Deque<Long> holds = byLock.get(lock);
        return new OfLock(holds == null ? List.of() : List.copyOf(holds));
    }
}
