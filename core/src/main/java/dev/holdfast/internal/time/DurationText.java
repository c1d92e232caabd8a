package dev.holdfast.internal.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them on the command line, in config files and in requests to a server: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h},
 * {@code 1d}; plain numbers are seconds, as with flock(1).
 */
public final class DurationText {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(ms|s|m|h|d)?");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final BigDecimal LONGEST_MILLIS =
            new BigDecimal(Duration.ofDays(36_500).toMillis());

    private DurationText() {}

    /**
     * Reads a duration in whole milliseconds.
     *
     * @throws IllegalArgumentException if it is none, or longer than 36500 days; the message goes on where its reader has named the text, and does not
     *     repeat it, since it may be anything
     */
    public static Duration parse(String text) {
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
        return new IllegalArgumentException(why + ": write 500ms, 30s, 5m, 1h, 2d, or plain seconds, from 0 to 36500d");
    }

    /** For people: {@code 250 ms}, {@code 4.2 s}, {@code 3 min 20 s}, {@code 2 h 5 min}. */
    public static String of(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        if (millis < 10_000) {
            long tenths = millis / 100;
            return tenths % 10 == 0 ? tenths / 10 + " s" : tenths / 10 + "." + tenths % 10 + " s";
        }
        long seconds = millis / 1_000;
        if (seconds < 120) {
            return seconds + " s";
        }
        return seconds < 7_200
                ? two(seconds / 60, "min", seconds % 60, "s")
                : two(seconds / 3_600, "h", seconds % 3_600 / 60, "min");
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
