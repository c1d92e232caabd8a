package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.settings.DurationConverter;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of {@code elect NAME -- CMD}. {@link ElectedRun} runs it. */
@Command(
        name = "elect",
        description = "Keep one copy of a command running, on one of several machines.",
        sortOptions = false,
        customSynopsis = "holdfast elect [OPTIONS] NAME [--] COMMAND [ARGUMENTS]",
        footer = {
            "",
            "Start it on every machine that may run the command. One candidate is elected",
            "and runs it; the others queue. When the leader is stopped (TERM, INT, HUP), the",
            "next candidate leads at once; when it dies, within one ttl.",
            "",
            "The command's environment has HOLDFAST_TERM, which rises from leader to leader,",
            "HOLDFAST_LOCK, HOLDFAST_TOKEN (the term again), HOLDFAST_OWNER,",
            "HOLDFAST_CANDIDATE and HOLDFAST_TTL_MS. The signals USR1, USR2, ALRM, WINCH and",
            "CONT are passed on to it.",
            "",
            "If the leadership is lost, or this process dies, the command gets TERM, and",
            "KILL after its grace (at most a third of the ttl if this process dies). It has",
            "ended before another candidate is elected. This candidate queues again.",
            "",
            "Exits with the command's exit code if --restart ends it; otherwise with",
            "  64  wrong usage      69  the nodes must not be used with their settings",
            "  70  internal error   126, 127  the command cannot be run",
            "  128+n  signal n arrived; the command was stopped",
        })
final class ElectCommand extends ChildCommand {

    /** The action when the command ends while its candidate leads. */
    enum Restart {
        NEVER,
        ON_FAILURE,
        ALWAYS;

        boolean after(int exitCode) {
            return switch (this) {
                case NEVER -> false;
                case ON_FAILURE -> exitCode != ExitCode.OK;
                case ALWAYS -> true;
            };
        }

        /** Returns the value in the format of the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--ttl",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "Time without a leader after one has died (default: 30s). Use the same on every machine.")
    @Nullable
    Duration ttl;

    @Option(
            names = "--candidate",
            paramLabel = "WHO",
            description = "Name of this candidate (default: user, host and process).")
    @Nullable
    String candidate;

    @Option(
            names = "--restart",
            paramLabel = "WHEN",
            converter = RestartText.class,
            description = {
                "When the command ends: 'never' steps down and exits with its exit code;"
                        + " 'on-failure' (the default) does so if that is 0, and otherwise restarts it; 'always' restarts it."
                        + " A restart follows a pause of 1s, which doubles up to 30s."
            })
    Restart restart = Restart.ON_FAILURE;

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not report elections and the wait for them.")
    boolean quiet;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the election and of its lock.")
    String name = "";

    @Override
    public Integer call() {
        check(name);
        return new ElectedRun(this, parent.settings()).run();
    }
}
