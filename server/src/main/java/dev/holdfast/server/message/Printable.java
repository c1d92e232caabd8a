package dev.holdfast.server.message;

import java.util.Set;

/** A conversion that makes the text of a request safe for an answer or a log: one line, without control characters, and not too long. */
public final class Printable {

    private static final int LONGEST = 100;

    /** The kinds of characters that are invisible, or that start a new line in some viewers. */
    private static final Set<Integer> NOT_SHOWN =
            Set.of((int) Character.FORMAT, (int) Character.SURROGATE, (int) Character.LINE_SEPARATOR, (int)
                    Character.PARAGRAPH_SEPARATOR);

    private Printable() {}

    public static String of(String text) {
        return of(text, LONGEST);
    }

    public static String of(String text, int longest) {
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(longest).forEach(c -> {
            int type = Character.getType(c);
            if (Character.isISOControl(c) || NOT_SHOWN.contains(type)) {
                line.append(String.format("\\u%04X", c));
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.append(text.codePointCount(0, text.length()) > longest ? "…" : "")
                .toString();
    }
}
