package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter of file paths in options and settings. */
public final class PathText implements ITypeConverter<Path> {

    @Override
    public Path convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** Parses a path; throws an {@link IllegalArgumentException} with the value and the problem. */
    static Path parse(String text) {
        if (text.isBlank()) { // an empty path would be the current folder
            throw new IllegalArgumentException("the path is empty");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    "'" + Printable.line(text, 200) + "' is not a valid path: " + Printable.line(e.getReason(), 100));
        }
    }
}
