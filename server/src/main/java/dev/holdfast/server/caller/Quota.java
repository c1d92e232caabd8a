package dev.holdfast.server.caller;

import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A count for each client, or for each lock, with an upper limit. Thread-safe. */
public final class Quota {

    private final String whose;
    private final String what;
    private final int limit;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /**
     * Creates a quota in which all counts are 0.
     *
     * @param whose the kind of owner, such as client
     * @param what the counted things, in the plural
     */
    public Quota(String whose, String what, int limit) {
        this.whose = whose;
        this.what = what;
        this.limit = limit;
    }

    /** Adds one, or throws a {@link Problem} at the limit. */
    public void add(String name) {
        counts.merge(name, 1, (count, one) -> {
            if (count >= limit) {
                throw new Problem(
                                Problem.Kind.TOO_MANY,
                                "The " + whose + " '" + Printable.of(name) + "' has " + count + " " + what
                                        + ", and may have " + limit + ".")
                        .header("Retry-After", "1");
            }
            return count + one;
        });
    }

    /** Adds one, even beyond the limit. */
    public void count(String name) {
        counts.merge(name, 1, Integer::sum);
    }

    /** Subtracts one. */
    public void remove(String name) {
        counts.computeIfPresent(name, (same, count) -> count > 1 ? Integer.valueOf(count - 1) : null);
    }

    /** Returns the sum of all counts. */
    public int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
