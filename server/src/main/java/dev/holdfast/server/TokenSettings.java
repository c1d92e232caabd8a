package dev.holdfast.server;

import dev.holdfast.server.message.Printable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tokens of a config file, with three lines for each token:
 *
 * <pre>
 * token.billing.secret = 6f1c...
 * token.billing.prefixes = orders: invoices:
 * token.billing.rights = acquire read
 * </pre>
 *
 * <p>{@code *} is the prefix of all names. Blanks or commas separate prefixes and rights.
 */
public final class TokenSettings {

    /** The prefix of all keys of tokens. */
    public static final String KEY = "token.";

    private static final Pattern FORM = Pattern.compile("token\\.(.+)\\.(secret|prefixes|rights)");
    private static final Pattern PARTED = Pattern.compile("[\\s,]+");

    private TokenSettings() {}

    /**
     * Returns the tokens of these settings, in the order of their names.
     *
     * @param settings keys that begin with {@link #KEY}, and their values
     * @throws IllegalArgumentException if a key names no setting of a token, or a token is incomplete or invalid; the message names it, without its secret
     */
    public static List<AccessToken> parse(Map<String, String> settings) {
        Map<String, Map<String, String>> parts = new TreeMap<>();
        settings.forEach((key, value) -> {
            Matcher form = FORM.matcher(key);
            if (!form.matches()) {
                throw new IllegalArgumentException(
                        "'" + Printable.of(key)
                                + "' is not a setting of a token: write token.NAME.secret, token.NAME.prefixes or token.NAME.rights");
            }
            parts.computeIfAbsent(form.group(1), name -> new TreeMap<>()).put(form.group(2), value.strip());
        });
        List<AccessToken> tokens = new ArrayList<>();
        parts.forEach((name, values) -> tokens.add(token(name, values)));
        return tokens;
    }

    private static AccessToken token(String name, Map<String, String> values) {
        return new AccessToken(
                name,
                value(name, "secret", values),
                words(value(name, "prefixes", values)).stream()
                        .map(prefix -> prefix.equals("*") ? "" : prefix)
                        .toList(),
                rights(name, words(value(name, "rights", values))));
    }

    private static String value(String name, String part, Map<String, String> values) {
        String value = values.get(part);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("token." + Printable.of(name) + "." + part + " is missing or empty");
        }
        return value;
    }

    private static List<String> words(String text) {
        return PARTED.splitAsStream(text).filter(word -> !word.isEmpty()).toList();
    }

    private static Set<Right> rights(String name, List<String> words) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (String word : words) {
            try {
                rights.add(Right.valueOf(word.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "token." + Printable.of(name) + ".rights has '" + Printable.of(word)
                                + "', but rights are acquire, read and admin",
                        e);
            }
        }
        return rights;
    }
}
