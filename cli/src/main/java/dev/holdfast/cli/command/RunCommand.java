package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.process.OnLost;
import dev.holdfast.cli.settings.DurationConverter;
import dev.holdfast.lock.LockMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class RunCommand extends ChildCommand {

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
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            converter = WholeNumber.Code.class,
            description = "Exit code if the lock is not acquired; 75 unless set.")
    int conflictCode = ExitCode.NOT_ACQUIRED;

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not tell how the wait is going.")
    boolean quiet;

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    String name = "";

    @Override
    public Integer call() {
        check(name);
        return new LockedRun(this, parent.settings()).run();
    }
}
