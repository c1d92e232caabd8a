package dev.holdfast.redis.process;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The control of one server's process, whichever JVM started it: start, signals, end. Thread-safe: it makes one change
 * at a time.
 */
final class ServerControl {

    private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

    private final ServerSetup setup;
    private volatile @Nullable OsProcess process;
    private boolean closed;

    ServerControl(ServerSetup setup, @Nullable OsProcess process) {
        this.setup = setup;
        this.process = process;
    }

    /** Returns the control of a server that an earlier JVM started, whether it still runs or not. */
    static ServerControl of(ServerSetup setup) {
        return new ServerControl(setup, setup.directory().process().orElse(null));
    }

    ServerSetup setup() {
        return setup;
    }

    /** Returns the last known pid, even if the process has ended; 0 if there was none. */
    long pid() {
        OsProcess known = process;
        return known == null ? 0 : known.pid();
    }

    boolean isRunning() {
        return running().isPresent();
    }

    boolean isPaused() {
        return running().filter(OsProcess::isPaused).isPresent();
    }

    synchronized void kill() {
        running().ifPresent(OsProcess::kill);
        ended();
    }

    synchronized void stop() {
        running().ifPresent(running -> {
            if (!running.terminate(STOP_WITHIN)) {
                throw new IllegalStateException(setup + " still exists " + STOP_WITHIN + " after SIGTERM");
            }
        });
        ended();
    }

    synchronized void pause() {
        required("pause").pause();
    }

    synchronized void resume() {
        required("resume").resume();
    }

    synchronized void restart(boolean declareClean) {
        stop();
        start(declareClean);
    }

    synchronized void restartEmpty(boolean declareClean) {
        kill();
        setup.directory().wipeData();
        start(declareClean);
    }

    synchronized long truncateAof(long bytes) {
        if (isRunning()) {
            throw new IllegalStateException("kill or stop " + setup + " before cutting its file");
        }
        return setup.directory().truncateAof(bytes);
    }

    /**
     * Ends the server permanently, by SIGKILL. With {@code keepData} it tries SIGTERM first, so that the server saves
     * its data.
     */
    synchronized void close(boolean keepData) {
        closed = true;
        if (keepData) {
            running().ifPresent(running -> running.terminate(STOP_WITHIN));
        }
        kill();
    }

    private void start(boolean declareClean) {
        if (closed) {
            throw new IllegalStateException(setup + " was closed");
        }
        process = ServerStart.again(setup);
        if (declareClean) {
            setup.ask(Epoch::declareClean);
        }
    }

    private Optional<OsProcess> running() {
        return Optional.ofNullable(process).filter(OsProcess::isRunning);
    }

    private OsProcess required(String what) {
        return running().orElseThrow(() -> new IllegalStateException("can't " + what + " " + setup + ": it is down"));
    }

    private void ended() {
        if (!setup.launch().detached()) {
            LastWill.ended(pid());
        }
    }
}
