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

/** The arguments of {@code run NAME -- CMD}. {@link LockedRun} runs it. */
@Command(
        name = "run",
        description = "Run a command while holding a lock.",
        sortOptions = false,
        customSynopsis = "holdfast run [OPTIONS] NAME [--] COMMAND [ARGUMENTS]",
        footer = {
            "",
            "The command's environment has HOLDFAST_LOCK, HOLDFAST_TOKEN, HOLDFAST_OWNER and",
            "HOLDFAST_TTL_MS. Signals are passed on to it and to the processes that it",
            "starts. Background processes that it leaves running continue without the lock.",
            "A NAME that begins with '-' must follow a '--': run -- -name -- COMMAND.",
            "",
            "If this process dies, even by kill -9, the command gets TERM, and KILL after",
            "its grace (at most a third of the ttl). On a system without 'setsid', these",
            "signals and those after a loss may not reach all processes that the command has",
            "started.",
            "",
            "Exits with the command's exit code, or 128+n if signal n ended it; or else with",
            "  64  wrong usage                    75  not acquired (or CODE of -E)",
            "  69  no majority of nodes answered  79  the lock was lost",
            "  70  internal error                 126, 127  the command cannot be run",
        })
final class RunCommand extends ChildCommand {

    /** The maximum time to wait. */
    static final class Wait {

        @Option(
                names = {"-n", "--nonblock", "--nb"},
                description = "Do not wait.")
        boolean none;

        @Option(
                names = {"-w", "--wait", "--timeout"},
                paramLabel = "DUR",
                converter = DurationConverter.class,
                description = "Maximum time to wait (default: unlimited).")
        @Nullable
        Duration limit;
    }

    /** The mode of the lock. */
    static final class Mode {

        @Option(
                names = {"-s", "--shared"},
                description = "Shared, for readers: --mode PR.")
        boolean shared;

        @Option(
                names = {"-x", "--exclusive"},
                description = "Exclusive: --mode EX, the default.")
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
                    "How long the lock lasts if this process dies (default: 30s). Extended while the command runs.")
    @Nullable
    Duration ttl;

    @Option(
            names = "--max-hold",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "Maximum time to hold the lock; the command is stopped then.")
    @Nullable
    Duration maxHold;

    @Option(
            names = "--on-lost",
            paramLabel = "HOW",
            description = {
                "If the lock is lost: 'term' sends TERM, and KILL after the grace, before the lock's"
                        + " deadline (the default); 'kill' sends KILL just before it; 'warn' only reports it."
            })
    OnLost onLost = OnLost.TERM;

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            converter = WholeNumber.Code.class,
            description = "Exit code if the lock is not acquired (default: 75).")
    int conflictCode = ExitCode.NOT_ACQUIRED;

    @Option(
            names = "--label",
            paramLabel = "TEXT",
            description = "Name of the holder for people (default: user, host and process).")
    String label = "";

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not report the progress of the wait.")
    boolean quiet;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the lock.")
    String name = "";

    @Override
    public Integer call() {
        check(name);
        return new LockedRun(this, parent.settings()).run();
    }
}
