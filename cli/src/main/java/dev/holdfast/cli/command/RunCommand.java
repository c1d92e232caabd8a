package dev.holdfast.cli.command;

import dev.holdfast.cli.settings.DurationConverter;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.process.OnLost;
import dev.holdfast.LockMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code run NAME -- CMD}: what is asked for. {@link LockedRun} does it. */
@Command(
        name = "run",
        description = "Run a command while holding a lock.",
        sortOptions = false,
        customSynopsis = "holdfast run [OPTIONS] NAME [--] COMMAND [ARGUMENTS]",
        footer = {
            "",
            "The command finds HOLDFAST_LOCK, HOLDFAST_TOKEN, HOLDFAST_OWNER and",
            "HOLDFAST_TTL_MS in its environment. Signals are passed on to it and to what it",
            "starts. What it leaves running in the background runs on without the lock.",
            "A NAME that begins with '-' goes behind a '--': run -- -name -- COMMAND.",
            "",
            "If this process dies, by kill -9 too, the command gets TERM, its grace (a third",
            "of the ttl at most), then KILL. Where the system has no 'setsid' that, and what",
            "follows a loss, reaches the command, but maybe not all that it has started.",
            "",
            "Ends with the command's exit code, 128+n if signal n ended it; else with",
            "  64  wrong usage                    75  not acquired (or CODE of -E)",
            "  69  no majority of nodes answered  79  the lock was lost meanwhile",
            "  70  internal error                 126, 127  no command that can be run",
        })
final class RunCommand implements Callable<Integer> {

    /** How long to wait. */
    static final class Wait {

        @Option(
                names = {"-n", "--nonblock", "--nb"},
                description = "Do not wait.")
        boolean none;

        @Option(
                names = {"-w", "--wait", "--timeout"},
                paramLabel = "DUR",
                converter = DurationConverter.class,
                description = "Wait so long at most; for ever unless set.")
        @Nullable
        Duration limit;
    }

    /** How to share. */
    static final class Mode {

        @Option(
                names = {"-s", "--shared"},
                description = "For readers, who may be many: --mode PR.")
        boolean shared;

        @Option(
                names = {"-x", "--exclusive"},
                description = "For one alone: --mode EX, the default.")
        boolean exclusive;

        @Option(names = "--mode", paramLabel = "M", description = "One of NL, CR, CW, PR, PW, EX.")
        @Nullable
        LockMode named;

        LockMode mode() {
            return named != null ? named : shared ? LockMode.PR : LockMode.EX;
        }
    }

    @ArgGroup
    Wait wait = new Wait();

    @ArgGroup
    Mode mode = new Mode();

    @Option(
            names = "--ttl",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description =
                    "How long the lock lasts if this process dies; 30s unless set. Extended while the command runs.")
    @Nullable
    Duration ttl;

    @Option(
            names = "--max-hold",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "End the command after so long whatever happens.")
    @Nullable
    Duration maxHold;

    @Option(
            names = "--on-lost",
            paramLabel = "HOW",
            description = {
                "If the lock is lost: 'term' ends the command by TERM, grace, KILL before the lock's deadline (the default); 'kill' by KILL just"
                        + " before it; 'warn' only says so."
            })
    OnLost onLost = OnLost.TERM;

    @Option(
            names = "--grace",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "Time between TERM and KILL; a quarter of the ttl, 5s at most, unless set.")
    @Nullable
    Duration grace;

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            converter = WholeNumber.Code.class,
            description = "Exit code if the lock is not acquired; 75 unless set.")
    int conflictCode = ExitCode.NOT_ACQUIRED;

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not tell how the wait is going.")
    boolean quiet;

    @Option(
            names = {"-c", "--command"},
            description = "The command is one string for 'sh -c'.")
    boolean shell;

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    String name = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            preprocessor = Verbatim.class,
            description = "The command, and what it is to be given.")
    List<String> command = List.of();

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    HoldfastCommand parent;

    @Override
    public Integer call() {
        CommandWords.check(name, command, shell);
        return new LockedRun(this, parent.settings()).run();
    }

    /** The command line to run. */
    List<String> line() {
        return shell ? List.of("sh", "-c", command.get(0)) : command;
    }

    /** Takes all that follows as it is, options too: they are the command's. */
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
