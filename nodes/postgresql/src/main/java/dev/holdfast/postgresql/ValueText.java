package dev.holdfast.postgresql;

import dev.holdfast.node.LockValue;

/** The text of a value as the database stores it. A text in PostgreSQL cannot contain the character 0, so two characters represent it. */
final class ValueText {

    private static final String ESCAPE = "\u0010";
    private static final String ZERO = "\0";
    private static final String ESCAPED_ZERO = ESCAPE + "0";
    private static final String ESCAPED_ESCAPE = ESCAPE + "1";

    private ValueText() {}

    /** Returns what the database stores for a text. */
    static String stored(String text) {
        return text.replace(ESCAPE, ESCAPED_ESCAPE).replace(ZERO, ESCAPED_ZERO);
    }

    /** Returns the value whose text the database stores like this. */
    static LockValue value(long token, long number, String stored) {
        return new LockValue(token, number, stored.replace(ESCAPED_ZERO, ZERO).replace(ESCAPED_ESCAPE, ESCAPE));
    }
}
