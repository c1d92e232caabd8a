package dev.holdfast.redis.process;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts, signals and ends the process of one server, whichever JVM started it. Thread-safe: one change at a time. */
final class ServerControl {

    private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

    private final ServerSetup setup;
    private volatile @Nullable OsProcess process;
    private boolean closed;

    ServerControl(ServerSetup setup, @Nullable OsProcess process) {
        this.setup = setup;
        this.process = process;
    }

    /** Returns a server that an earlier JVM started, running or gone. */
    static ServerControl of(ServerSetup setup) {
        return new ServerControl(setup, setup.directory().process().orElse(null));
    }

    ServerSetup setup() {
        return setup;
    }

    /** Returns the process as it was known last, gone or not; 0 if none was. */
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
                throw new IllegalStateException(setup + " is still there " + STOP_WITHIN + " after SIGTERM");
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

    /** Ends it for good, no restart from now on: by SIGKILL, which with {@code keepData} is only for one that does not heed SIGTERM. */
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
        if (!setup.detached()) {
            LastWill.ended(pid());
        }
    }
}
