package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.settings.DurationConverter;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code elect NAME -- CMD}: what is asked for. {@link ElectedRun} does it. */
@Command(
        name = "elect",
        description = "Keep one copy of a command running, on one of several machines.",
        sortOptions = false,
        customSynopsis = "holdfast elect [OPTIONS] NAME [--] COMMAND [ARGUMENTS]",
        footer = {
            "",
            "Start it on every machine that may run the command: one is elected and runs it,",
            "the others stand in line. When the leader is stopped (TERM, INT, HUP) the next",
            "one follows at once; when it dies, within one ttl.",
            "",
            "The command finds HOLDFAST_TERM, which rises from leader to leader, HOLDFAST_LOCK,",
            "HOLDFAST_TOKEN (the term again), HOLDFAST_OWNER, HOLDFAST_CANDIDATE and",
            "HOLDFAST_TTL_MS in its environment. USR1, USR2, ALRM, WINCH and CONT are passed on to it.",
            "",
            "If the leadership is lost, or this process dies, the command gets TERM, its grace",
            "(a third of the ttl at most if this process dies), then KILL, and is gone before",
            "another is elected. The candidate stands in line again.",
            "",
            "Ends with the command's exit code where --restart says that it ends; else with",
            "  64  wrong usage      69  the nodes must not be used as they are set up",
            "  70  internal error   126, 127  no command that can be run",
            "  128+n  signal n came; the command, if it ran, was ended before",
        })
final class ElectCommand extends ChildCommand {

    /** What is done when the command ends by itself while its candidate leads. */
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

        /** As it is written on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--ttl",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "How long there is no leader after one has died; 30s unless set. The same on every machine.")
    @Nullable
    Duration ttl;

    @Option(
            names = "--candidate",
            paramLabel = "WHO",
            description = "What this candidate is called; user, host and process unless set.")
    @Nullable
    String candidate;

    @Option(
            names = "--restart",
            paramLabel = "WHEN",
            converter = RestartText.class,
            description = {
                "If the command ends by itself: 'never' steps down, and ends with its exit code; 'on-failure' ends so if that is 0, else starts"
                        + " it again (the default); 'always' starts it again. After pauses of 1s that double up to 30s, while it leads."
            })
    Restart restart = Restart.ON_FAILURE;

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not tell who is elected.")
    boolean quiet;

    @Parameters(index = "0", paramLabel = "NAME", description = "The election, and its lock.")
    String name = "";

    @Override
    public Integer call() {
        check(name);
        return new ElectedRun(this, parent.settings()).run();
    }
}
