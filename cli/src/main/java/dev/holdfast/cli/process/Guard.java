package dev.holdfast.cli.process;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell that outlives us: it sends the command the signals we ask for, and ends it when we are gone, however we went.
 *
 * <p>It reads its orders from a pipe that only this process can write to. The system closes the pipe when this process ends, {@code kill
 * -9} included. Being there already it needs no new process in the moment that matters, and a process group can be signalled, which Java
 * can't do. Thread-safe.
 */
final class Guard implements AutoCloseable {

    /** Orders: whom to guard; then names of signals, the seconds of grace if we should die, and that all is done. */
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM TSTP PIPE
            IFS= read -r target || exit 0
            grace=0
            while IFS= read -r order; do
              case $order in
                done) exit 0 ;;
                'grace '*) grace=${order#grace } ;;
                *) kill -s "$order" -- "$target" ;;
              esac
            done
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
     * Starts it.
     *
     * @param ownSession what makes a session of its own, so that no signal meant for us reaches it; empty where there is nothing
     */
    static Guard start(List<String> ownSession) throws IOException {
        List<String> command = new ArrayList<>(ownSession);
        command.addAll(List.of("sh", "-c", SCRIPT, "holdfast-guard"));
        return new Guard(new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** What it guards: a process, or with a minus sign its group. */
    boolean watch(long target) {
        return order(Long.toString(target));
    }

    /** Sends a signal; false if the guard is not there any more. */
    boolean signal(String name) {
        return order(name);
    }

    /** How long the command may take to end after we have died; whole seconds, since a shell knows no others. */
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

    /** The command has ended; whatever it left running may go on. */
    @Override
    public void close() {
        order("done");
    }
}
