package dev.holdfast.server.view;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The longest time that each owner was seen to have left, which is about its ttl. The nodes don't report the ttl of an owner, so this is all that a server knows
 * about the clients of other servers. Memory has a bound: the owners that were seen longest ago are dropped. Thread-safe.
 */
final class SeenTtls {

    private static final int MOST_OWNERS = 20_000;

    private final Map<String, Long> byOwner = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_OWNERS;
        }
    };

    /** Notes that the owner has this time left, and returns the longest such time in ms. */
    synchronized long seen(String owner, long remainingMillis) {
        return byOwner.merge(owner, remainingMillis, Math::max);
    }
}
