package dev.holdfast.cli.command;

import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.settings.DevNodes;
import java.math.BigInteger;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Whole numbers as people write them, each kind with its range: the parser's own words name a Java type and no range. */
final class WholeNumber {

    private static final int MOST_SHOWN = 40;

    private WholeNumber() {}

    private static long parse(String text, long least, long most) {
        String range = "; write a whole number from " + least + " to " + most;
        if (!text.matches("[+-]?[0-9]+")) {
            throw new TypeConversionException("'" + Printable.line(text, MOST_SHOWN) + "' is no number" + range);
        }
        BigInteger number = text.length() > MOST_SHOWN ? BigInteger.valueOf(most + 1) : new BigInteger(text);
        if (number.compareTo(BigInteger.valueOf(least)) < 0 || number.compareTo(BigInteger.valueOf(most)) > 0) {
            throw new TypeConversionException("'" + Printable.line(text, MOST_SHOWN) + "' is out of range" + range);
        }
        return number.longValueExact();
    }

    /** A fencing token: below 2^53, so that it is exact in every language. */
    static final class Token implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parse(text, 1, (1L << 53) - 1);
        }
    }

    /** How many locks are listed. */
    static final class ListLimit implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 1, 10_000);
        }
    }

    /** With what a process ends. */
    static final class Code implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 0, 255);
        }
    }

    /** Where a server listens, 0 for any free port. */
    static final class Port implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 0, 65_535);
        }
    }

    /** How many development nodes there are, or which one. */
    static final class DevNode implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 1, DevNodes.MOST);
        }
    }
}
