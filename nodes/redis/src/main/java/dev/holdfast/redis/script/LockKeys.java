package dev.holdfast.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The keys of a lock: the lock key itself, which is what other clients of the Redis documentation's algorithm use too, and side keys
 * in the same hash slot of a Redis Cluster.
 *
 * <p>A side key is {@code {<lock key>}:holdfast:<part>}, or {@code {<tag>}:holdfast:<part>:<lock key>} if the lock key has a hash
 * tag of its own.
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

    /** Which keys of a lock a script is given; the lock key is the first one always. */
    public static final class Choice {

        static final Choice ALL =
                new Choice(IntStream.range(0, SIDE_PARTS.length).toArray());

        /** The fence, whether there are others, and the longest ttl. */
        public static final Choice FENCE_OTHERS_AND_TTL = new Choice(FENCE_PART, OTHERS_PART, TTL_PART);

        /** Whether there are others. */
        static final Choice OTHERS = new Choice(OTHERS_PART);

        private final int[] sides;

        private Choice(int... sides) {
            this.sides = sides;
        }

        /** How many keys of a lock they are. */
        public int size() {
            return 1 + sides.length;
        }
    }

    private static final byte[] NOTHING = {};
    private static final byte[] OPEN = {'{'};
    private static final byte[][] MIDDLES = Stream.of(SIDE_PARTS)
            .map(part -> ("}" + OURS + part).getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    private static final byte[][] MIDDLES_AND_COLON = Stream.of(SIDE_PARTS)
            .map(part -> ("}" + OURS + part + ":").getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);

    private LockKeys() {}

    /** All keys of a lock in the order in which the scripts number them. */
    public static String[] of(String lockKey) {
        String[] keys = new String[Choice.ALL.size()];
        keys[0] = lockKey;
        for (int i = 0; i < SIDE_PARTS.length; i++) {
            keys[i + 1] = side(lockKey, SIDE_PARTS[i]);
        }
        return keys;
    }

    /** The side key of this part. */
    public static String side(String key, String part) {
        String tag = hashTag(key);
        return tag.isEmpty() ? "{" + key + "}" + OURS + part : "{" + tag + "}" + OURS + part + ":" + key;
    }

    /** Those of {@link #of} that are chosen, in bytes. */
    static void addTo(RequestBytes request, String lockKey, Choice choice) {
        byte[] name = lockKey.getBytes(StandardCharsets.UTF_8);
        int open = indexOf(name, '{', 0);
        int close = open < 0 ? -1 : indexOf(name, '}', open);
        boolean tagged = close > open + 1;
        request.add(NOTHING, name, 0, name.length, NOTHING, NOTHING);
        for (int i : choice.sides) {
            if (tagged) {
                request.add(OPEN, name, open + 1, close, MIDDLES_AND_COLON[i], name);
            } else {
                request.add(OPEN, name, 0, name.length, MIDDLES[i], NOTHING);
            }
        }
    }

    private static int indexOf(byte[] bytes, char wanted, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The lock that a key found in the database shows to be in use; empty for keys that remain after use, such as a fence. A key that
     * is no side key counts as the lock key of its name.
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

    /** What a Redis Cluster hashes in the place of the whole key; empty if it is the whole key. */
    private static String hashTag(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        return close > open + 1 ? key.substring(open + 1, close) : "";
    }
}
