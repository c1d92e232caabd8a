package dev.holdfast;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What a lock may be called. The same rules for every kind of node, so that a name that works in a test works on Redis. */
final class LockNames {

    /** Longer names are a mistake, and would be paid for with every message. */
    static final int LONGEST_BYTES = 1024;

    private static final String SIDE_KEY = "}:holdfast:";

    /** What the keys of Holdfast that are no locks begin with, such as that of a node's epoch. */
    private static final String OWN_KEYS = "holdfast:";

    private LockNames() {}

    /**
     * The name as the nodes know it.
     *
     * @throws IllegalArgumentException if it is empty, longer than 1024 bytes with its prefix, holds control characters or broken
     *     surrogates, braces that are no Redis Cluster hash tag, or what marks Holdfast's side keys, or makes a key that begins with
     *     {@code holdfast:}
     */
    static String resource(String keyPrefix, String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "the lock's name is empty, but must have 1 to " + LONGEST_BYTES + " bytes");
        }
        return checked("the lock's name", keyPrefix + name, name);
    }

    /** The same rules for a prefix, which may be empty. */
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
            throw bad(what, shown, "holds braces that are no hash tag; write them as in '{group}name', or not at all");
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

    /** Redis Cluster hashes what stands between the first '{' and the next '}', if anything does. */
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

    /** On one line, and not a mebibyte of it. */
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
