package dev.holdfast.simulator;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A watch for errors that the production code logs. Each is a bug: a step threw. While the watch is open, it drops all other log
 * records, since leases are lost all the time in a simulation.
 */
final class Bugs extends Handler implements AutoCloseable {

    private static final ThreadLocal<@Nullable Schedule> PLAYING = new ThreadLocal<>();

    private final Logger logger = Logger.getLogger("dev.holdfast");
    private final @Nullable Level level = logger.getLevel();
    private final boolean handedOn = logger.getUseParentHandlers();

    Bugs() {
        logger.setLevel(Level.SEVERE);
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    /** Plays a schedule; an error that is logged or thrown during it is a violation. */
    Outcome watch(Schedule schedule) {
        PLAYING.set(schedule);
        try {
            return schedule.run();
        } catch (RuntimeException e) {
            return schedule.failed(e);
        } finally {
            PLAYING.remove();
        }
    }

    @Override
    public void publish(LogRecord entry) {
        Schedule schedule = PLAYING.get();
        if (schedule != null) {
            schedule.broken(Promise.NO_ERROR, entry.getMessage() + ": " + entry.getThrown());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(handedOn);
        logger.setLevel(level);
    }
}
