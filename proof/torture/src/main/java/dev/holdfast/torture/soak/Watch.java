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
 * Watches what is promised to all clients of a soak, which live in one process and so share a clock. Thread-safe.
 *
 * <p>Exclusive locks have one holder at a time, semaphores as many as they have permits, tokens rise, and work that was sealed is not done
 * again. A lease counts as held as long as its client says so, and until its holder begins to release it.
 */
final class Watch {

    private static final int MOST_LINES = 100;

    private final Map<String, Set<Holding>> holders = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private final Set<String> sealed = new HashSet<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();

    /** One lease from its acquisition to the beginning of its release. */
    final class Holding {

        private final String name;
        private final String holder;
        private final BooleanSupplier held;

        private Holding(String name, String holder, BooleanSupplier held) {
            this.name = name;
            this.holder = holder;
            this.held = held;
        }

        /** Before the lease is released. */
        void releasing() {
            synchronized (Watch.this) {
                ofName(name).remove(this);
            }
        }
    }

    /** Before a lock is requested: the largest token of its complete acquisitions. */
    synchronized long asked(String lock) {
        return tokens.getOrDefault(lock, 0L);
    }

    /**
     * After a lease is acquired.
     *
     * @param permits how many may hold it at once
     * @param held whether the client takes the lease for held
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

    /** The token of an exclusive lease, which was requested when {@link #asked} gave that. */
    synchronized void token(String lock, String holder, long asked, long token) {
        if (token <= asked) {
            violation(lock + ": " + holder + " has the token " + token + ", requested after " + asked);
        }
        tokens.merge(lock, token, Math::max);
    }

    /** Returns whether a seal of this work is confirmed; to be asked before the work is requested. */
    synchronized boolean isSealed(String work) {
        return sealed.contains(work);
    }

    /** Work begins, though it may have been sealed before it was requested. */
    synchronized void begins(String work, String worker, boolean wasSealed) {
        count("works");
        if (wasSealed) {
            violation(work + " is done again by " + worker + ", after its seal was confirmed");
        }
    }

    /** A seal is confirmed. */
    synchronized void seals(String work) {
        sealed.add(work);
    }

    /** What nobody asks for any more is forgotten, or this would grow. */
    synchronized void forget(String work) {
        sealed.remove(work);
    }

    /** Something else that must not be. */
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
