package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Printable;
import dev.holdfast.internal.time.DurationText;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link DurationText} from options and settings: blanks around it and capitals are no harm, and what is wrong is shown. */
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
     * Reads a duration.
     *
     * @throws IllegalArgumentException if it is none: with the value and the allowed forms
     */
    public static Duration parse(String text) {
        try {
            return DurationText.parse(text.strip().toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + Printable.line(text, 40) + "' " + e.getMessage(), e);
        }
    }
}
