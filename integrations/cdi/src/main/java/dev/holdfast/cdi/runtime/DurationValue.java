package dev.holdfast.cdi.runtime;

import dev.holdfast.internal.time.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;

/** Durations as texts, in annotations and in properties. */
public final class DurationValue {

    private DurationValue() {}

    /**
     * Returns the duration of a text: {@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}, {@code 1h30m}, a number of seconds, or ISO such as {@code PT5S}.
     *
     * @throws IllegalArgumentException if the text is not a duration
     */
    public static Duration of(String text) {
        String stripped = text.strip();
        try {
            return DurationText.parse(stripped);
        } catch (IllegalArgumentException e) {
            boolean isIso = stripped.toUpperCase(Locale.ROOT).matches("[+-]?P.*");
            try {
                return Duration.parse(isIso ? stripped : "PT" + stripped);
            } catch (DateTimeException notIso) {
                throw e;
            }
        }
    }
}
