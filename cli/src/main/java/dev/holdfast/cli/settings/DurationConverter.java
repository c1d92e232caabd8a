package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Printable;
import dev.holdfast.internal.time.DurationText;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter from options and settings to durations. It accepts surrounding blanks and capital letters, and its errors show the value. */
public final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Parses a duration.
     *
     * @throws IllegalArgumentException if the text is not a duration; the message has the value and the allowed forms
     */
    public static Duration parse(String text) {
        try {
            return DurationText.parse(text.strip().toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + Printable.line(text, 40) + "' " + e.getMessage(), e);
        }
    }
}
