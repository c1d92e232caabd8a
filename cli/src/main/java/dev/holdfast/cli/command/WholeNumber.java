package dev.holdfast.cli.command;

import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.settings.DevCluster;
import dev.holdfast.cli.settings.DevNodes;
import dev.holdfast.node.LockGroups;
import java.math.BigInteger;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The converters of whole numbers, each with its range. The parser's own messages name a Java type and no range. */
final class WholeNumber {

    private static final int MOST_SHOWN = 40;

    private WholeNumber() {}

    private static long parse(String text, long least, long most) {
        String range = "; it must be a whole number from " + least + " to " + most;
        if (!text.matches("[+-]?[0-9]+")) {
            throw new TypeConversionException("'" + Printable.line(text, MOST_SHOWN) + "' is not a number" + range);
        }
        BigInteger number = text.length() > MOST_SHOWN ? BigInteger.valueOf(most + 1) : new BigInteger(text);
        if (number.compareTo(BigInteger.valueOf(least)) < 0 || number.compareTo(BigInteger.valueOf(most)) > 0) {
            throw new TypeConversionException("'" + Printable.line(text, MOST_SHOWN) + "' is out of range" + range);
        }
        return number.longValueExact();
    }

    /** A fencing token, less than 2^53 so that it is exact in every language. */
    static final class Token implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parse(text, 1, (1L << 53) - 1);
        }
    }

    /** The maximum number of locks in a list. */
    static final class ListLimit implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 1, 10_000);
        }
    }

    /** The number of servers of a development cluster. */
    static final class DevServers implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 1, DevCluster.MOST);
        }
    }

    /** The number of groups of locks in a cluster. */
    static final class Groups implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 1, LockGroups.MOST);
        }
    }

    /** An exit code. */
    static final class Code implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 0, 255);
        }
    }

    /** A port to listen on; 0 for any free port. */
    static final class Port implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 0, 65_535);
        }
    }

    /** A number of development nodes, or the number of one of them. */
    static final class DevNode implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) parse(text, 1, DevNodes.MOST);
        }
    }
}
