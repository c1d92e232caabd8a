package dev.holdfast.cli.process;

import dev.holdfast.cli.output.Terminal;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

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
     * the foreground; otherwise it might be stopped, or end, before the shell has moved it there.
     */
    private static final String JOB_SCRIPT = """
            exec 3> "$0"
            set -m
            sh -c 'kill -s STOP $$; exec "$@"' holdfast-command "$@" 3>&- &
            echo "guard -$!" >&3
            exec > /dev/null 2>&1 3>&-
            while kill -s 0 "$!"; do
              fg %1
              code=$?
            done
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

    ProcessBuilder builder(List<String> command, Guard guard) {
        List<String> line = new ArrayList<>(
                switch (this) {
                    case SESSION -> announced(guard) ? announcedSession(guard) : session();
                    case JOB -> List.of("sh", "-c", JOB_SCRIPT, guard.orders().toString());
                    case NOT -> List.<String>of();
                });
        line.addAll(command);
        return new ProcessBuilder(line);
    }

    private static List<String> announcedSession(Guard guard) {
        List<String> line = new ArrayList<>(session());
        line.addAll(List.of(
                "sh", "-c", SESSION_SCRIPT, "holdfast-command", guard.orders().toString()));
        return line;
    }

    /** Returns whether another process can write orders to the guard, which needs {@code /proc}. */
    private static boolean announced(Guard guard) {
        return Files.exists(guard.orders());
    }

    /** Lets the guard watch the command, or its process group, unless a shell has announced it before the command starts. */
    void watch(Process process, Guard guard) {
        switch (this) {
            case SESSION -> {
                if (!announced(guard)) {
                    guard.watch(-process.pid());
                }
            }
            case NOT -> guard.watch(process.pid());
            case JOB -> {}
        }
    }
}
