package dev.holdfast.internal.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one parser and the one writer of durations for people. It reads what people write on the command line, in config files and in requests to a server:
 * {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 1d}; plain numbers are seconds, as with flock(1). It writes what messages, commands and logs show:
 * {@code 250 ms}, {@code 4.2 s}, {@code 3 min 20 s}.
 */
public final class DurationText {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(ms|s|m|h|d)?");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final BigDecimal LONGEST_MILLIS =
            new BigDecimal(Duration.ofDays(36_500).toMillis());

    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private DurationText() {}

    /**
     * Reads a duration in whole milliseconds.
     *
     * @throws IllegalArgumentException if the text is not a duration, or longer than 36500 days. The message continues a sentence that names the text, and does
     *     not repeat the text, which may be anything.
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

    /**
     * Writes a duration for people, in a short form: {@code 250 ms}, {@code 4.2 s}, {@code 3 min 20 s}, {@code 2 h 5 min}, {@code 3 d 4 h}. Omitted digits are
     * cut off, not rounded up, so that a deadline never looks later than it is.
     */
    public static String of(Duration duration) {
        if (isBeyondWords(duration)) {
            return exact(duration);
        }
        long millis = duration.toMillis();
        long unit = millis < 1_000
                ? 1
                : millis < 10_000 ? 100 : millis < 2 * HOUR ? 1_000 : millis < 2 * DAY ? MINUTE : HOUR;
        return exact(Duration.ofMillis(millis - millis % unit));
    }

    /** Writes a number of milliseconds as {@link #exact} does. */
    public static String ofMillis(long millis) {
        return exact(Duration.ofMillis(millis));
    }

    /**
     * Writes a duration for people without rounding, for example in a message about a wrong value: {@code 250 ms}, {@code 1.234 s}, {@code 90 s}, {@code 24 h},
     * {@code 365 d}. More than 36500 days are written as "no limit".
     */
    public static String exact(Duration duration) {
        if (isBeyondWords(duration)) {
            return duration.isNegative() ? duration.toString() : "no limit";
        }
        if (duration.isNegative()) {
            return "-" + exact(duration.negated());
        }
        long seconds = duration.toSeconds();
        if (seconds == 0) {
            return decimal(BigDecimal.valueOf(duration.toNanos(), 6)) + " ms";
        }
        if (seconds < 120) {
            return inSeconds(duration);
        }
        StringBuilder text = new StringBuilder();
        boolean inDays = seconds >= 2 * DAY / 1_000;
        boolean inHours = seconds >= 2 * HOUR / 1_000 || seconds % 3_600 == 0;
        if (inDays) {
            append(text, duration.toDaysPart(), "d");
        }
        if (inHours) {
            append(text, inDays ? duration.toHoursPart() : duration.toHours(), "h");
        }
        append(text, inHours ? duration.toMinutesPart() : duration.toMinutes(), "min");
        Duration rest = duration.minusMinutes(duration.toMinutes());
        if (!rest.isZero()) {
            text.append(' ').append(inSeconds(rest));
        }
        return text.toString().strip();
    }

    private static boolean isBeyondWords(Duration duration) {
        return duration.toDays() > 36_500 || duration.toDays() < -36_500;
    }

    private static void append(StringBuilder text, long number, String unit) {
        if (number != 0) {
            text.append(' ').append(number).append(' ').append(unit);
        }
    }

    private static String inSeconds(Duration duration) {
        return decimal(BigDecimal.valueOf(duration.toNanos(), 9)) + " s";
    }

    private static String decimal(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
