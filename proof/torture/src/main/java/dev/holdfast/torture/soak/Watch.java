package dev.holdfast.torture.soak;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A check of the promises to all clients of a soak. The clients live in one process and therefore share a clock.
 * Thread-safe.
 *
 * <p>Exclusive locks have one holder at a time, and semaphores at most as many as they have permits. Tokens rise, and
 * sealed work is not done again. A lease counts as held while its client says so, until its holder begins to release
 * it.
 */
final class Watch {

    private static final int MOST_LINES = 100;

    private final Map<String, Set<Holding>> holders = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private final Set<String> sealed = new HashSet<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();

    /** One lease, from its acquisition to the beginning of its release. */
    final class Holding {

        private final String name;
        private final String holder;
        private final BooleanSupplier held;

        private Holding(String name, String holder, BooleanSupplier held) {
            this.name = name;
            this.holder = holder;
            this.held = held;
        }

        /** Records that the holder begins to release the lease. */
        void releasing() {
            synchronized (Watch.this) {
                ofName(name).remove(this);
            }
        }
    }

    /** Returns the largest token of this lock's complete acquisitions; to be called before a request. */
    synchronized long asked(String lock) {
        return tokens.getOrDefault(lock, 0L);
    }

    /**
     * Records the acquisition of a lease.
     *
     * @param permits how many holders the lock may have at once
     * @param held whether the client considers the lease held
     */
    synchronized Holding got(String name, int permits, String holder, BooleanSupplier held) {
        Holding holding = new Holding(name, holder, held);
        Set<Holding> all = ofName(name);
        all.removeIf(other -> !other.held.getAsBoolean());
        all.add(holding);
        if (all.size() > permits && held.getAsBoolean()) {
            violation(name + " has " + all.size() + " holders, not " + permits + " at most: "
                    + all.stream().map(other -> other.holder).toList());
        }
        count(permits == 1 ? "turns" : "permits");
        return holding;
    }

    /**
     * Records the token of an exclusive lease.
     *
     * @param asked the result of {@link #asked} before the request
     */
    synchronized void token(String lock, String holder, long asked, long token) {
        if (token <= asked) {
            violation(lock + ": " + holder + " has the token " + token + ", requested after " + asked);
        }
        tokens.merge(lock, token, Math::max);
    }

    /** Returns whether a seal of this work is confirmed; to be called before the request for the work. */
    synchronized boolean isSealed(String work) {
        return sealed.contains(work);
    }

    /**
     * Records that work begins.
     *
     * @param wasSealed whether it was sealed before the request
     */
    synchronized void begins(String work, String worker, boolean wasSealed) {
        count("works");
        if (wasSealed) {
            violation(work + " is done again by " + worker + ", after its seal was confirmed");
        }
    }

    /** Records that a seal is confirmed. */
    synchronized void seals(String work) {
        sealed.add(work);
    }

    /** Removes work that no worker asks for any more, so that memory stays bounded. */
    synchronized void forget(String work) {
        sealed.remove(work);
    }

    /** Records another violation. */
    synchronized void violation(String text) {
        if (violations.size() < MOST_LINES) {
            violations.add(text);
        }
    }

    synchronized void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    private Set<Holding> ofName(String name) {
        return holders.computeIfAbsent(name, any -> new HashSet<>());
    }
}
