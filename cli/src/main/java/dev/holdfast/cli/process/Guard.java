package dev.holdfast.cli.process;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A guard for the command: a shell that outlives this process. It sends the command the requested signals, and stops it when this process has ended
 * for any reason.
 *
 * <p>It reads its orders from a pipe of this process. The system closes the pipe when this process ends, even after {@code kill -9}. Because it already
 * runs, it needs no new process at the critical moment. Unlike Java, it can signal a process group. Thread-safe.
 */
final class Guard implements AutoCloseable {

    /**
     * The guard's program. Its orders are the process to guard, names of signals, the grace in seconds in case this process dies, and the end of the
     * guard. Signals wait until the process is known.
     */
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM TSTP PIPE
            target=
            signals=
            grace=0

            while IFS= read -r order; do
              case $order in
                done) exit 0 ;;
                'grace '*) grace=${order#grace } ;;
                'guard '*) target=${order#guard } ;;
                *) signals="$signals $order" ;;
              esac
              if [ -n "$target" ]; then
                for signal in $signals; do
                  kill -s "$signal" -- "$target"
                done
                signals=
              fi
            done

            [ -n "$target" ] || exit 0
            kill -s TERM -- "$target" || exit 0
            kill -s CONT -- "$target"

            while [ "$grace" -gt 0 ] && kill -s 0 -- "$target"; do
              sleep 1
              grace=$((grace - 1))
            done
            kill -s KILL -- "$target"
            """;

    private final Process process;
    private final OutputStream orders;

    private Guard(Process process) {
        this.process = process;
        this.orders = process.getOutputStream();
    }

    /**
     * Starts a guard.
     *
     * @param ownSession the command prefix that creates a separate session, so that no signal to this process reaches the guard; empty if there is
     *     none
     */
    static Guard start(List<String> ownSession) throws IOException {
        List<String> command = new ArrayList<>(ownSession);
        command.addAll(List.of("sh", "-c", SCRIPT, "holdfast-guard"));
        return new Guard(new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** Sets the process to guard; a negative number is a process group. */
    void watch(long target) {
        order("guard " + target);
    }

    /** Returns the file to which another process can write orders. */
    Path orders() {
        return Path.of("/proc", Long.toString(process.pid()), "fd/0");
    }

    /** Sends a signal; returns false if the guard has ended. */
    boolean signal(String name) {
        return order(name);
    }

    /** Sets how long the command may take to end after this process has died, in whole seconds as shells require. */
    void grace(Duration grace) {
        order("grace " + grace.toSeconds());
    }

    private synchronized boolean order(String line) {
        try {
            orders.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            orders.flush();
            return process.isAlive();
        } catch (IOException gone) {
            return false;
        }
    }

    /** Ends the guard after the command has ended. Processes that the command left running continue. */
    @Override
    public void close() {
        order("done");
    }
}
