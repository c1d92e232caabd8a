package dev.holdfast.internal.election;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The rules for the names of candidates. */
final class CandidateName {

    static final int LONGEST_BYTES = 100;
    private static final int LONGEST_SHOWN = 60;

    private CandidateName() {}

    /**
     * Returns the name if it is valid.
     *
     * @throws IllegalArgumentException if it is empty, longer than 100 bytes of UTF-8, begins or ends with a space, or contains an unprintable character
     */
    static String require(String what, String name) {
        Objects.requireNonNull(name, what);
        if (!isValid(name)) {
            throw new IllegalArgumentException(what + " is " + quoted(name) + ", but must have 1 to " + LONGEST_BYTES
                    + " bytes of UTF-8, printable characters only, with no space at either end");
        }
        return name;
    }

    static boolean isValid(String name) {
        return !name.isEmpty()
                && name.strip().length() == name.length()
                && name.codePoints().allMatch(CandidateName::isPrintable)
                && name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_BYTES;
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static String quoted(String name) {
        StringBuilder quoted = new StringBuilder("'");
        name.codePoints().limit(LONGEST_SHOWN).forEach(c -> {
            if (isPrintable(c)) {
                quoted.appendCodePoint(c);
            } else {
                quoted.append(String.format("\\u%04X", c));
            }
        });
        return quoted.append(name.codePointCount(0, name.length()) > LONGEST_SHOWN ? "…'" : "'")
                .toString();
    }
}
