package dev.holdfast.redis.live;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Watches the tokens of exclusive locks whose holders do not hand over to each other.
 *
 * <p>A token must be larger than the token of every acquisition of the lock that was complete before this one was requested, and no
 * token may be given twice. Both hold where two clients believe that they hold the lock, too: a failover of a single node may cause
 * that, and the token is what protects the resource then.
 */
final class TokenWatch {

    private final Map<String, Seen> locks = new ConcurrentHashMap<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();

    private static final class Seen {
        private final Map<Long, String> byToken = new ConcurrentHashMap<>();
        private long largest;
    }

    /** Before a client requests the lock: the largest token of the acquisitions that are complete. */
    long asked(String lock) {
        Seen seen = seen(lock);
        synchronized (seen) {
            return seen.largest;
        }
    }

    /** After its acquisition is complete. */
    void got(String lock, String client, long asked, long token) {
        Seen seen = seen(lock);
        String before = seen.byToken.putIfAbsent(token, client);
        if (before != null) {
            violations.add(lock + ": " + client + " has the token " + token + ", which " + before + " had already");
        } else if (token <= asked) {
            violations.add(lock + ": " + client + " has the token " + token + ", requested after " + asked);
        }
        synchronized (seen) {
            seen.largest = Math.max(seen.largest, token);
        }
    }

    private Seen seen(String lock) {
        return locks.computeIfAbsent(lock, any -> new Seen());
    }

    /** How many tokens of this lock were seen. */
    int turns(String lock) {
        return seen(lock).byToken.size();
    }

    /** How many tokens were seen. */
    long turns() {
        return locks.values().stream().mapToLong(seen -> seen.byToken.size()).sum();
    }

    /** Returns the violations, one line each. */
    List<String> violations() {
        return List.copyOf(violations);
    }
}
