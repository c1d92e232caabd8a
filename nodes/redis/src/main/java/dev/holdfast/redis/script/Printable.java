package dev.holdfast.redis.script;

/** A converter of foreign text to a printable form: short, and without control characters. */
public final class Printable {

    private Printable() {}

    public static String shortened(String text, int longest) {
        String cut = text.length() <= longest ? text : text.substring(0, longest) + "…";
        StringBuilder printable = new StringBuilder(cut.length());
        cut.chars().forEach(c -> printable.append(Character.isISOControl(c) ? '?' : (char) c));
        return printable.toString();
    }
}
