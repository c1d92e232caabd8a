package dev.holdfast;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The rules for the names of locks. They are the same for every kind of node, so that a name that works in a test works on Redis. */
final class LockNames {

    /** The longest name. A longer name is a mistake, and would make every message larger. */
    static final int LONGEST_BYTES = 1024;

    private static final String SIDE_KEY = "}:holdfast:";

    /** The prefix of Holdfast's keys that are not locks, such as the epoch of a node. */
    private static final String OWN_KEYS = "holdfast:";

    private LockNames() {}

    /**
     * Returns the name under which the nodes know the lock.
     *
     * @throws IllegalArgumentException if the name is empty, is longer than 1024 bytes with its prefix, or contains control characters or broken
     *     surrogates. The same holds if it contains braces that are not a Redis Cluster hash tag, contains the mark of Holdfast's side keys, or makes
     *     a key that begins with {@code holdfast:}.
     */
    static String resource(String keyPrefix, String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "the lock's name is empty, but must have 1 to " + LONGEST_BYTES + " bytes");
        }
        return checked("the lock's name", keyPrefix + name, name);
    }

    /** Returns the prefix after checking it by the same rules, except that it may be empty. */
    static String prefix(String what, String prefix) {
        Objects.requireNonNull(prefix, what);
        return checked(what, prefix, prefix);
    }

    private static String checked(String what, String key, String shown) {
        int bytes = utf8Length(what, key, shown);
        if (bytes > LONGEST_BYTES) {
            throw bad(what, shown, "has " + bytes + " bytes with the key prefix, but may have " + LONGEST_BYTES);
        }
        key.chars().filter(Character::isISOControl).findFirst().ifPresent(c -> {
            throw bad(what, shown, String.format("holds the control character U+%04X, but may hold none", c));
        });
        if (!bracesAreHashTag(key)) {
            throw bad(what, shown, "has braces that are not a hash tag; write them as in '{group}name', or not at all");
        }
        if (key.contains(SIDE_KEY)) {
            throw bad(what, shown, "holds '" + SIDE_KEY + "', which marks the side keys of locks");
        }
        if (key.startsWith(OWN_KEYS)) {
            throw bad(
                    what,
                    shown,
                    "makes the key " + quoted(key) + ", but keys that begin with '" + OWN_KEYS
                            + "' are Holdfast's own, such as the epoch of a node");
        }
        return key;
    }

    private static int utf8Length(String what, String key, String shown) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .encode(CharBuffer.wrap(key));
            return bytes.remaining();
        } catch (CharacterCodingException e) {
            throw bad(what, shown, "holds half a surrogate pair, which has no UTF-8 form");
        }
    }

    /**
     * Returns whether braces in the key form a hash tag. Redis Cluster hashes the text between the first '{' and the next '}' if it is not empty.
     */
    private static boolean bracesAreHashTag(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}');
        if (open < 0 && close < 0) {
            return true;
        }
        return open >= 0 && key.indexOf('}', open) > open + 1 && close > open;
    }

    private static IllegalArgumentException bad(String what, String shown, String why) {
        return new IllegalArgumentException(what + " " + quoted(shown) + " " + why);
    }

    /** Returns the text in quotes on one line, at most 60 characters of it. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("'");
        text.codePoints().limit(60).forEach(c -> {
            if (Character.isISOControl(c) || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
                quoted.append(String.format("\\u%04X", c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append(text.length() > 60 ? "…'" : "'").toString();
    }
}
