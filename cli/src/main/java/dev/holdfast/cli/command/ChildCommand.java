package dev.holdfast.cli.command;

import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.settings.DurationConverter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** A command of {@code holdfast} that runs another command, with the options that {@code run} and {@code elect} share. */
abstract class ChildCommand implements Callable<Integer> {

    /** The order of this class's options, after those of the command itself. */
    private static final int LAST = 100;

    private static final String UTF_8 = "UTF-8";

    @Option(
            names = "--grace",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            order = LAST,
            description = "Time between TERM and KILL (default: a quarter of the ttl, at most 5s).")
    @Nullable
    Duration grace;

    @Option(
            names = {"-c", "--command"},
            order = LAST,
            description = "The command is one string for 'sh -c'.")
    boolean shell;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            preprocessor = Verbatim.class,
            description = "The command and its arguments.")
    List<String> command = List.of();

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    HoldfastCommand parent;

    /** Rejects arguments that cannot be intended. */
    void check(String name) {
        if (shell && command.size() != 1) {
            throw Failure.usage("-c takes one string, but got " + command.size() + " arguments: quote them as one");
        }
        if (name.isEmpty()) {
            throw Failure.usage("the lock's name is empty");
        }
        if (name.indexOf('\uFFFD') >= 0 || command.stream().anyMatch(text -> text.indexOf('\uFFFD') >= 0)) {
            throw Failure.usage(
                    "an argument is not " + encoding() + ", so it would not reach the command unchanged" + remedy());
        }
    }

    /** Returns the encoding of arguments, which Java takes from the locale. */
    private static String encoding() {
        String encoding = System.getProperty("native.encoding", UTF_8);
        return encoding.startsWith("ANSI_X3.4") ? "ASCII" : encoding;
    }

    private static String remedy() {
        return encoding().equals(UTF_8) ? "" : "; if it is UTF-8, set LC_ALL=C.UTF-8";
    }

    /** Returns the command line to run. */
    List<String> line() {
        return shell ? List.of("sh", "-c", command.get(0)) : command;
    }

    /** A preprocessor that leaves everything after the name to the command, including options. */
    static final class Verbatim implements IParameterPreprocessor {

        @Override
        public boolean preprocess(
                Stack<String> arguments, CommandSpec command, ArgSpec parameter, Map<String, Object> info) {
            List<String> line = new ArrayList<>();
            while (!arguments.isEmpty()) {
                line.add(arguments.pop());
            }
            if (line.size() > 1 && line.get(0).equals("--")) {
                line.remove(0);
            }
            parameter.setValue(line);
            return true;
        }
    }
}
