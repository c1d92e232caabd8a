package dev.holdfast.cli.manual;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The parser's model of the commands, as completion and the manual page read it. */
final class Syntax {

    /** The label of the argument with which the command of {@code run} and {@code elect} begins. */
    private static final String CHILD = "COMMAND";

    private static final String DIRECTORY = "DIR";

    private Syntax() {}

    /** Returns a command and all commands below it, in the order of the help. */
    static List<CommandSpec> commands(CommandSpec command) {
        return Stream.concat(
                        Stream.of(command), subcommands(command).stream().flatMap(below -> commands(below).stream()))
                .toList();
    }

    static List<CommandSpec> subcommands(CommandSpec command) {
        return command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .toList();
    }

    static List<String> subcommandNames(CommandSpec command) {
        return subcommands(command).stream().map(CommandSpec::name).toList();
    }

    /** Returns the options of a command: its own, then those that it shares. */
    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream()
                .sorted(Comparator.comparing(OptionSpec::inherited).thenComparing(OptionSpec::order))
                .toList();
    }

    static List<OptionSpec> ownOptions(CommandSpec command) {
        return options(command).stream().filter(option -> !option.inherited()).toList();
    }

    static boolean hasValue(OptionSpec option) {
        return option.arity().max() > 0;
    }

    /** Returns whether a command's arguments end with another command line. */
    static boolean startsChild(CommandSpec command) {
        return command.positionalParameters().stream()
                .anyMatch(parameter -> parameter.paramLabel().equals(CHILD));
    }

    /** Returns the values to choose from; empty if there is no fixed choice. */
    static List<String> choices(ArgSpec argument) {
        Iterable<String> candidates = argument.completionCandidates();
        return candidates == null
                ? List.of()
                : StreamSupport.stream(candidates.spliterator(), false).toList();
    }

    static boolean isFile(ArgSpec argument) {
        return argument.type() == Path.class && !isDirectory(argument);
    }

    static boolean isDirectory(ArgSpec argument) {
        return argument.type() == Path.class && argument.paramLabel().equals(DIRECTORY);
    }

    /** Returns the description of an option or argument on one line. */
    static String description(ArgSpec argument) {
        return String.join(" ", argument.description());
    }

    static String description(CommandSpec command) {
        return String.join(" ", command.usageMessage().description());
    }

    /** Returns a text as one word of a shell. */
    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    static String words(Collection<String> words) {
        return quoted(String.join(" ", words));
    }
}
