package dev.holdfast.cli.command;

import java.util.List;
import java.util.Set;

/**
 * The search for the option {@code -v} before the command line is parsed: the parser loads classes with loggers, and a logger reads the level only once. The
 * arguments of the command that {@code run} and {@code elect} start are not searched.
 */
public final class Verbosity {

    private static final Set<String> WITH_A_COMMAND = Set.of("run", "elect");

    /** All options without a value. Every other option takes the next argument as its value. */
    static final Set<String> FLAGS = Set.of(
            "-v",
            "--verbose",
            "-h",
            "--help",
            "-V",
            "--version",
            "-n",
            "--nonblock",
            "--nb",
            "-s",
            "--shared",
            "-x",
            "--exclusive",
            "-q",
            "--quiet",
            "-c",
            "--command",
            "--json",
            "--yes",
            "--insecure",
            "--create",
            "--join",
            "--forget");

    private Verbosity() {}

    public static boolean isVerbose(List<String> arguments) {
        boolean withCommand = false;
        int names = 0;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--") || (withCommand && names == 2)) {
                return false;
            }
            if (argument.equals("--verbose") || isFlags(argument, 'v')) {
                return true;
            }
            if (!argument.startsWith("-")) {
                withCommand = withCommand || (names == 0 && WITH_A_COMMAND.contains(argument));
                names++;
            } else if (takesNext(argument)) {
                i++;
            }
        }
        return false;
    }

    private static boolean isFlags(String argument, char flag) {
        return argument.indexOf(flag) > 0
                && argument.matches("-[a-zA-Z]+")
                && argument.chars().skip(1).allMatch(letter -> FLAGS.contains("-" + (char) letter));
    }

    private static boolean takesNext(String argument) {
        boolean isShort = !argument.startsWith("--");
        boolean hasValue = argument.indexOf('=') > 0 || (isShort && argument.length() > 2);
        return !hasValue && !FLAGS.contains(argument);
    }
}
