package dev.holdfast.cli.process;

import dev.holdfast.cli.output.Terminal;
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
                    case SESSION -> session();
                    case JOB -> List.of("sh", "-c", JOB_SCRIPT, guard.orders().toString());
                    case NOT -> List.<String>of();
                });
        line.addAll(command);
        return new ProcessBuilder(line);
    }

    /** Lets the guard watch the command, or its process group. The shell of a job does that itself, before the command starts. */
    void watch(Process process, Guard guard) {
        switch (this) {
            case SESSION -> guard.watch(-process.pid());
            case NOT -> guard.watch(process.pid());
            case JOB -> {}
        }
    }
}
