package dev.holdfast.redis.script;

/** Makes text from elsewhere fit to be shown: short, and without control characters. */
public final class Printable {

    private Printable() {}

    public static String shortened(String text, int longest) {
        String cut = text.length() <= longest ? text : text.substring(0, longest) + "…";
        StringBuilder printable = new StringBuilder(cut.length());
        cut.chars().forEach(c -> printable.append(Character.isISOControl(c) ? '?' : (char) c));
        return printable.toString();
    }
}
