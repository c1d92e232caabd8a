package dev.holdfast.server;

/** Text from a request, made fit for an answer or a log: one line, no control characters, not too long. */
final class Shown {

    private static final int LONGEST = 100;

    private Shown() {}

    static String of(String text) {
        return of(text, LONGEST);
    }

    static String of(String text, int longest) {
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(longest).forEach(c -> {
            int type = Character.getType(c);
            if (Character.isISOControl(c) || type == Character.FORMAT || type == Character.SURROGATE) {
                line.append(String.format("\\u%04X", c));
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.append(text.length() > longest ? "…" : "").toString();
    }
}
