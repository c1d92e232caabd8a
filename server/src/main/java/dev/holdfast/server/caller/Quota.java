package dev.holdfast.server.caller;

import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many of something each client, or each lock, has, up to a limit. Thread-safe. */
public final class Quota {

    private final String whose;
    private final String what;
    private final int limit;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /**
     * All have none.
     *
     * @param whose of what kind those are who have it, such as client
     * @param what what is counted, in the plural
     */
    public Quota(String whose, String what, int limit) {
        this.whose = whose;
        this.what = what;
        this.limit = limit;
    }

    /** One more, or a {@link Problem}. */
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

    /** One less. */
    public void remove(String name) {
        counts.computeIfPresent(name, (same, count) -> count > 1 ? Integer.valueOf(count - 1) : null);
    }

    /** Of all together. */
    public int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
