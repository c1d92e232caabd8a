package dev.holdfast.server;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in requests, written as on the command line: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 2d}; plain numbers are seconds. */
final class DurationText {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(ms|s|m|h|d)?");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final BigDecimal LONGEST_MILLIS =
            new BigDecimal(Duration.ofDays(36_500).toMillis());

    private DurationText() {}

    /**
     * Reads a duration in whole milliseconds.
     *
     * @throws IllegalArgumentException if it is none, or longer than 36500 days; the message does not repeat the text
     */
    static Duration parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw wrong("is not a duration");
        }
        String unit = form.group(2) == null ? "s" : form.group(2);
        BigDecimal millis = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(MILLIS.getOrDefault(unit, 1L)));
        if (millis.compareTo(LONGEST_MILLIS) > 0) {
            throw wrong("is too long");
        }
        if (millis.stripTrailingZeros().scale() > 0) {
            throw wrong("is not a whole number of milliseconds");
        }
        return Duration.ofMillis(millis.longValueExact());
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(
                why + ": write \"500ms\", \"30s\", \"5m\", \"1h\" or \"2d\"; a plain \"30\" counts seconds");
    }
}
