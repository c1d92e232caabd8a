package dev.holdfast.cli.command;

import dev.holdfast.cli.output.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MaxValuesExceededException;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.MutuallyExclusiveArgsException;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A mistake on the command line, in words for the user. The parser's own words name Java types, indexes, and names of options that the user did not type;
 * the library's own words name its settings instead of options.
 */
public final class Mistake {

    private static final int MOST_SHOWN = 40;
    private static final int MOST_CHANGES = 2;

    /** The library's message about a setting that is out of range. */
    private static final Pattern OUT_OF_RANGE = Pattern.compile("([a-z][A-Za-z]*) is (.+?)(?:, but|; it) must be (.+)");

    /** The library's message about a text that is not allowed. */
    private static final Pattern NOT_ALLOWED =
            Pattern.compile("([a-z][A-Za-z]*)(?: is)? ('.*'),?( (?:holds|makes|has) .+|(?: but|; it) must have .+)");

    private static final String INSECURE_IN_JAVA = "set tokens, or call insecure(true)";

    private static final String RANGE_OF_DURATIONS = ", from 0 to 36500d";

    private static final Pattern TOO_SHORT_FOR_NODES =
            Pattern.compile("at least twice the node timeout of ((?:[0-9.]+ [a-z]+ ?)+)");

    private Mistake() {}

    // ---- the parser's mistakes

    /** Returns what is wrong with the arguments, without a period. */
    public static String words(ParameterException e, List<String> arguments) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched.getUnmatched().get(0), e.getCommandLine());
        }
        if (e instanceof MutuallyExclusiveArgsException || e instanceof MaxValuesExceededException) {
            return exclusive(e.getCommandLine().getCommandSpec(), arguments).orElse(plain(e));
        }
        if (e instanceof MissingParameterException missing) {
            CommandLine command = command(e);
            return command.getUnmatchedArguments().isEmpty()
                    ? missing(missing, arguments)
                    : unmatched(command.getUnmatchedArguments().get(0), command);
        }
        if (e instanceof OverwrittenOptionException twice && twice.getOverwritten() instanceof OptionSpec option) {
            return typed(option, arguments).orElse(option.longestName()) + " is given twice; give it once";
        }
        ArgSpec argument = e.getArgSpec();
        return argument == null ? plain(e) : wrongValue(e, argument, arguments);
    }

    private static String plain(ParameterException e) {
        return Printable.line(String.valueOf(e.getMessage()));
    }

    /**
     * Returns the command with the mistake: the one with an unknown subcommand or option, even if the parser noticed something else first. An argument
     * may be missing only because of it.
     */
    public static CommandLine command(ParameterException e) {
        for (CommandLine one = e.getCommandLine(); one != null; one = one.getParent()) {
            if (!one.getUnmatchedArguments().isEmpty()) {
                return one;
            }
        }
        return e.getCommandLine();
    }

    private static String unmatched(String argument, CommandLine command) {
        if (argument.startsWith("-") && argument.length() > 1) {
            String name = argument.replaceFirst("=.*", "");
            String shown = Printable.line(name, MOST_SHOWN);
            List<String> owners = command.getSubcommands().values().stream()
                    .filter(one -> one.getCommandSpec().findOption(name) != null)
                    .map(one -> "'" + one.getCommandName() + "'")
                    .toList();
            return owners.isEmpty()
                    ? "there is no option " + shown + nearest(name, options(command))
                    : shown + " is an option of " + String.join(", ", owners) + "; write it after the command";
        }
        String shown = "'" + Printable.line(argument, MOST_SHOWN) + "'";
        if (!command.getSubcommands().isEmpty()) {
            String nearest = nearest(argument, command.getSubcommands().keySet().stream());
            Stream<String> names = command.getSubcommands().keySet().stream();
            Stream<String> listed =
                    command.getParent() == null ? names : names.sorted(); // the top level has an order of its own
            String all = "; the commands are " + listed.collect(Collectors.joining(", "));
            return "there is no command " + shown + (nearest.isEmpty() ? all : nearest);
        }
        List<String> labels = command.getCommandSpec().positionalParameters().stream()
                .map(ArgSpec::paramLabel)
                .toList();
        return "the argument " + shown + " is one too many: '" + command.getCommandName() + "' takes "
                + (labels.isEmpty() ? "options only" : "only " + String.join(" and ", labels));
    }

    private static Stream<String> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .flatMap(option -> Stream.of(option.names()))
                .filter(name -> name.startsWith("--"));
    }

    /** Returns a question that asks whether a similar name was meant; empty if no known name is similar. */
    private static String nearest(String typed, Stream<String> known) {
        Map<Integer, List<String>> byChanges =
                known.collect(Collectors.groupingBy(name -> changes(typed, name), TreeMap::new, Collectors.toList()));
        return byChanges.entrySet().stream()
                .filter(entry -> entry.getKey() <= Math.min(MOST_CHANGES, Math.max(typed.length() / 2, 1)))
                .findFirst()
                .map(entry -> entry.getValue().stream()
                        .sorted()
                        .limit(2)
                        .collect(Collectors.joining(" or ", "; did you mean ", "?")))
                .orElse("");
    }

    /** Returns how many letters must be inserted, deleted, replaced or swapped with their neighbour to turn one word into the other. */
    static int changes(String from, String to) {
        String one = from.toLowerCase(Locale.ROOT);
        String other = to.toLowerCase(Locale.ROOT);
        if (Math.abs(one.length() - other.length()) > MOST_CHANGES) {
            return MOST_CHANGES + 1;
        }
        int[][] counts = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                counts[i][j] = i == 0 || j == 0 ? i + j : least(counts, one, other, i, j);
            }
        }
        return counts[one.length()][other.length()];
    }

    private static int least(int[][] counts, String one, String other, int i, int j) {
        int replaced = counts[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(counts[i - 1][j], counts[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(least, counts[i - 2][j - 2] + 1) : least;
    }

    private static Optional<String> exclusive(CommandSpec command, List<String> arguments) {
        for (ArgGroupSpec group : command.argGroups()) {
            List<String> names = group.options().stream()
                    .flatMap(option -> typed(option, arguments).stream())
                    .toList();
            if (names.size() > 1) {
                return Optional.of(String.join(" and ", names) + " exclude each other; give only one of them");
            }
            if (names.size() == 1) { // the parser reports a repeated option of a group as if two excluded each other
                return Optional.of(names.get(0) + " is given twice; give it once");
            }
        }
        return Optional.empty();
    }

    private static String missing(MissingParameterException e, List<String> arguments) {
        ArgSpec first = e.getMissing().isEmpty() ? null : e.getMissing().get(0);
        boolean withoutValue = String.valueOf(e.getMessage()).contains("for option");
        if (withoutValue && first instanceof OptionSpec option) {
            String name = typed(option, arguments).orElse(option.longestName());
            return name + " needs a value: " + name + " " + option.paramLabel();
        }
        List<String> names = e.getMissing().stream().map(Mistake::label).toList();
        return names.isEmpty()
                ? plain(e)
                : String.join(" and ", names) + (names.size() == 1 ? " is missing" : " are missing");
    }

    private static String label(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? option.longestName() + " " + option.paramLabel()
                : argument.paramLabel();
    }

    private static String wrongValue(ParameterException e, ArgSpec argument, List<String> arguments) {
        String name = argument instanceof OptionSpec option
                ? typed(option, arguments).orElse(option.longestName())
                : argument.paramLabel();
        String value = "'" + Printable.line(String.valueOf(e.getValue()), MOST_SHOWN) + "'";
        if (argument.type().isEnum() && e.getValue() != null) {
            return name + ": " + value + " is not one of " + choices(argument.type());
        }
        if (argument instanceof OptionSpec option && option.arity().max() == 0) {
            return name + " takes no value";
        }
        return e.getCause() instanceof TypeConversionException own
                ? name + ": " + Printable.line(inWords(String.valueOf(own.getMessage())))
                : plain(e);
    }

    /** Returns the problem of a text without the name of a Java type, and without the range of all durations, since the option's own range is smaller. */
    private static String inWords(String problem) {
        return problem.contains(" is not a duration")
                ? problem.replace(RANGE_OF_DURATIONS, "")
                : problem.replace(" is not an int", " is not a whole number");
    }

    private static String choices(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(choice -> type.getSimpleName().endsWith("Mode") ? choice.toString() : lower(choice))
                .collect(Collectors.joining(", "));
    }

    private static String lower(Object choice) {
        return choice.toString().toLowerCase(Locale.ROOT);
    }

    /** Returns the name of an option as the user typed it; empty if it was not typed. */
    private static Optional<String> typed(OptionSpec option, List<String> arguments) {
        for (String argument : arguments) {
            if (argument.equals("--")) {
                break;
            }
            for (String name : option.names()) {
                boolean isLong = name.startsWith("--");
                boolean within = !isLong && argument.matches("-[A-Za-z]*" + name.charAt(1) + ".*");
                if (argument.equals(name) || (isLong ? argument.startsWith(name + "=") : within)) {
                    return Optional.of(name);
                }
            }
        }
        return Optional.empty();
    }

    // ---- settings that the library rejects

    /** Returns what the library says about a setting, with the option and the value as they were typed, or else with the key of the config file. */
    public static String asTyped(String message, ParseResult parsed) {
        if (message.endsWith(INSECURE_IN_JAVA)) {
            String reachable = message.replace(INSECURE_IN_JAVA, "set tokens in the config file, or add --insecure");
            return value("host", parsed) == null ? reachable : "--" + reachable;
        }
        Matcher text = NOT_ALLOWED.matcher(message);
        if (text.matches()) {
            return textAsTyped(message, text, parsed);
        }
        Matcher range = OUT_OF_RANGE.matcher(message);
        if (!range.matches()) {
            return message;
        }
        String key = key(range.group(1));
        @Nullable String typed = value(key, parsed);
        Matcher tooShort = TOO_SHORT_FOR_NODES.matcher(range.group(3));
        if (tooShort.lookingAt()) {
            @Nullable String timeout = value("node-timeout", parsed);
            return typed == null && timeout != null
                    ? "--node-timeout " + timeout + " is too long: it must be at most half of the ttl, which is "
                            + range.group(2)
                    : (typed == null ? "ttl is " + range.group(2) + ", but" : "--ttl " + typed + " is too short: it")
                            + " must be at least twice the node timeout, which is "
                            + (timeout == null ? tooShort.group(1) : timeout);
        }
        return typed == null
                ? key + " is " + range.group(2) + ", but must be " + range.group(3)
                : "--" + key + " " + typed + " is out of range: it must be " + range.group(3);
    }

    private static String textAsTyped(String message, Matcher text, ParseResult parsed) {
        String setting = text.group(1);
        String key = key(setting);
        String option = value(key, parsed) == null ? key : "--" + key;
        return option + message.substring(setting.length());
    }

    /** Returns the key of a setting in the config file; options have the same name. */
    private static String key(String setting) {
        String key = setting.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        return switch (key) {
            case "timeout" -> "node-timeout";
            case "candidate-name" -> "candidate";
            default -> key;
        };
    }

    private static @Nullable String value(String key, ParseResult parsed) {
        List<String> values = new ArrayList<>();
        for (ParseResult level = parsed; level != null; level = level.subcommand()) {
            OptionSpec option = level.matchedOption("--" + key);
            if (option != null) {
                values.addAll(option.originalStringValues());
            }
        }
        return values.isEmpty() ? null : Printable.line(values.get(values.size() - 1), MOST_SHOWN);
    }
}
