package dev.holdfast.redis.script;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The keys of a lock: the lock key itself, and side keys in the same hash slot of a Redis Cluster. Other clients of the Redis
 * documentation's algorithm use the lock key too.
 *
 * <p>A side key is {@code {<lock key>}:holdfast:<part>}, or {@code {<tag>}:holdfast:<part>:<lock key>} if the lock key has a hash tag of
 * its own.
 */
public final class LockKeys {

    private static final String OURS = ":holdfast:";
    private static final String[] SIDE_PARTS = {
        "fence", "queue", "shared", "buried", "seal", "expiries", "requests", "value", "others", "votes", "ttl"
    };
    private static final int FENCE_PART = 0;
    private static final int OTHERS_PART = 8;
    private static final int TTL_PART = 10;
    private static final Pattern SIDE_KEY = Pattern.compile("\\{(.*)}:holdfast:([a-z]+)(?::(.*))?", Pattern.DOTALL);

    /** The keys of a lock that a script receives, always with the lock key first. */
    static final class Choice {

        static final Choice ALL =
                new Choice(IntStream.range(0, SIDE_PARTS.length).toArray());

        /** The lock, its fence, the key that shows whether it is contended, and the longest ttl. */
        static final Choice FENCE_OTHERS_AND_TTL = new Choice(FENCE_PART, OTHERS_PART, TTL_PART);

        /** The lock, and the key that shows whether it is contended. */
        static final Choice OTHERS = new Choice(OTHERS_PART);

        private final int[] sides;

        private Choice(int... sides) {
            this.sides = sides;
        }

        /** Returns these keys of a lock. */
        String[] of(String lockKey) {
            String tag = hashTag(lockKey);
            String[] keys = new String[1 + sides.length];
            keys[0] = lockKey;
            for (int i = 0; i < sides.length; i++) {
                keys[i + 1] = side(lockKey, tag, SIDE_PARTS[sides[i]]);
            }
            return keys;
        }
    }

    private LockKeys() {}

    /** Returns all keys of a lock in the order in which the scripts number them. */
    public static String[] of(String lockKey) {
        return Choice.ALL.of(lockKey);
    }

    /** Returns the side key of this part. */
    public static String side(String key, String part) {
        return side(key, hashTag(key), part);
    }

    private static String side(String key, String tag, String part) {
        return tag.isEmpty() ? "{" + key + "}" + OURS + part : "{" + tag + "}" + OURS + part + ":" + key;
    }

    /**
     * Returns the lock that a key in the database shows to be in use; empty for keys that remain after use, such as a fence. A key that is
     * no side key counts as the lock key of its name.
     */
    public static Optional<String> lockInUse(String key) {
        Matcher side = SIDE_KEY.matcher(key);
        if (!side.matches()) {
            return Optional.of(key);
        }
        return switch (side.group(2)) {
            case "queue", "shared", "seal" -> Optional.of(side.group(3) == null ? side.group(1) : side.group(3));
            default -> Optional.empty();
        };
    }

    /** Returns the part of a key that a Redis Cluster hashes; empty if it hashes the whole key. */
    private static String hashTag(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        return close > open + 1 ? key.substring(open + 1, close) : "";
    }
}
