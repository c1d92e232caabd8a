package dev.holdfast.cli.output;

/** Text from other sources, made safe for a terminal: on one line, without control characters, and of limited length. */
public final class Printable {

    private static final int LONGEST = 4000;

    private Printable() {}

    public static String line(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> append(line, c));
        return line.append(text.length() > LONGEST ? "…" : "").toString();
    }

    /** Returns the text made printable, with at most this many characters. */
    public static String line(String text, int longest) {
        String line = line(text);
        if (line.codePointCount(0, line.length()) <= longest) {
            return line;
        }
        return line.substring(0, line.offsetByCodePoints(0, longest - 1)) + "…";
    }

    private static void append(StringBuilder line, int c) {
        boolean reordersText = Character.getType(c) == Character.FORMAT;
        if (Character.isISOControl(c) || reordersText || Character.getType(c) == Character.SURROGATE) {
            line.append(String.format("\\u%04X", c));
        } else {
            line.appendCodePoint(c);
        }
    }
}
