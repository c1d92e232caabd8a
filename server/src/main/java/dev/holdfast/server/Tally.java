package dev.holdfast.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many of something each client has, up to a limit. Thread-safe. */
final class Tally {

    private final String what;
    private final int limit;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /**
     * All have none.
     *
     * @param what what is counted, in the plural
     */
    Tally(String what, int limit) {
        this.what = what;
        this.limit = limit;
    }

    /** One more, or a {@link Problem}. */
    void add(String client) {
        counts.merge(client, 1, (count, one) -> {
            if (count >= limit) {
                throw new Problem(
                                Problem.Kind.TOO_MANY,
                                "The client '" + client + "' has " + count + " " + what + ", and may have " + limit
                                        + ".")
                        .header("Retry-After", "1");
            }
            return count + one;
        });
    }

    /** One less. */
    void remove(String client) {
        counts.computeIfPresent(client, (name, count) -> count > 1 ? Integer.valueOf(count - 1) : null);
    }

    /** Of all clients together. */
    int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
