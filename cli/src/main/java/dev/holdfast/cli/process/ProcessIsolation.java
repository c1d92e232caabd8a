package dev.holdfast.cli.process;

import dev.holdfast.cli.output.Terminal;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The ways to isolate the command from this process, so that it and all processes that it starts can be signalled together. */
enum ProcessIsolation {
    /** Isolation in a separate session and process group, by {@code setsid}. */
    SESSION,

    /**
     * Isolation as a foreground job of a shell on this process's terminal. The command receives typed input, including Ctrl-C, and may prompt for a
     * password. Ctrl-Z has no effect, because a stopped job would keep its lock.
     */
    JOB,

    /** No isolation, because the system does not support it. */
    NOT;

    /**
     * The shell's program, whose name is the file for orders to the guard. The command starts after the guard knows its process group, and after it is in
     * the foreground; otherwise it might be stopped, or end, before the shell has moved it there. Bash gives the terminal to a job only if its own standard
     * error is that terminal, and may be stopped when it takes the terminal back. It ends a loop when its job is stopped, so a function continues the job.
     */
    private static final String JOB_SCRIPT = """
            exec 3> "$0"
            set -m
            sh -c 'kill -s STOP $$; exec "$@"' holdfast-command "$@" 3>&- &
            echo "guard -$!" >&3
            exec > /dev/null 2>&1 3>&-
            trap '' TTOU
            [ -z "$BASH_VERSION" ] || exec 2> /dev/tty

            foreground() {
              fg %1
              code=$?
              ! kill -s 0 "$!" 2> /dev/null || foreground
            }
            foreground
            exit "$code"
            """;

    /**
     * The first program of a session, whose first argument is the file for orders to the guard. The command starts after the guard knows its process
     * group. Otherwise this process could die between the start of the command and the order, and the command would continue without its lock.
     */
    private static final String SESSION_SCRIPT = """
            echo "guard -$$" > "$1" || exit 126
            shift
            exec "$@"
            """;

    private static final List<String> SH = List.of("sh");

    /** Bash without the functions and the start file ({@code BASH_ENV}) of the environment, which it passes on unchanged. */
    private static final List<String> BASH = List.of("bash", "-p");

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    static ProcessIsolation choose() {
        if (Terminal.isForeground()) {
            return JOB;
        }
        return CommandPath.find("setsid", Child.path()).isPresent() ? SESSION : NOT;
    }

    /** Returns the command prefix that isolates a process without a terminal, such as the guard; empty if there is none. */
    static List<String> session() {
        return CommandPath.find("setsid", Child.path()).isPresent() ? List.of("setsid", "--") : List.of();
    }

    /** Returns the complete line that starts the command with these variables. */
    List<String> line(List<String> command, Guard guard, Map<String, String> environment) {
        List<String> line = new ArrayList<>(
                switch (this) {
                    case SESSION -> announced(guard, environment) ? announcedSession(guard, environment) : session();
                    case JOB -> List.of("sh", "-c", JOB_SCRIPT, guard.orders().toString());
                    case NOT -> List.<String>of();
                });
        line.addAll(command);
        return line;
    }

    private static List<String> announcedSession(Guard guard, Map<String, String> environment) {
        List<String> line = new ArrayList<>(session());
        line.addAll(shell(environment));
        line.addAll(
                List.of("-c", SESSION_SCRIPT, "holdfast-command", guard.orders().toString()));
        return line;
    }

    /** Returns the shell that starts the command of a session: bash, if there is one and if other shells may drop variables, because their names are no identifiers. */
    private static List<String> shell(Map<String, String> environment) {
        boolean needed = !passesThroughAnyShell(environment);
        return needed && CommandPath.find("bash", Child.path()).isPresent() ? BASH : SH;
    }

    private static boolean passesThroughAnyShell(Map<String, String> environment) {
        return environment.keySet().stream()
                .allMatch(name -> IDENTIFIER.matcher(name).matches());
    }

    /** Returns whether a shell can write orders to the guard, which needs {@code /proc}, and can then start the command with all its variables. */
    private static boolean announced(Guard guard, Map<String, String> environment) {
        return Files.exists(guard.orders())
                && (passesThroughAnyShell(environment) || shell(environment).equals(BASH));
    }

    /** Lets the guard watch the command, or its process group, unless a shell has announced it before the command starts. */
    void watch(Process process, Guard guard, Map<String, String> environment) {
        switch (this) {
            case SESSION -> {
                if (!announced(guard, environment)) {
                    guard.watch(-process.pid());
                }
            }
            case NOT -> guard.watch(process.pid());
            case JOB -> {}
        }
    }
}
