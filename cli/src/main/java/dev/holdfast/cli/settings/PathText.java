package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Paths of files as people write them; not every text is one. */
public final class PathText implements ITypeConverter<Path> {

    @Override
    public Path convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** Throws an {@link IllegalArgumentException} with the value and what is wrong with it. */
    static Path parse(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    "'" + Printable.line(text, 200) + "' is no path here: " + Printable.line(e.getReason(), 100));
        }
    }
}
