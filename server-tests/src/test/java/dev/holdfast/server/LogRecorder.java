package dev.holdfast.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log under a name while it is open; {@link System.Logger} logs to the JDK's own logging in tests. */
public final class LogRecorder extends Handler implements AutoCloseable {

    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    public LogRecorder(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
    }

    /** Level and message of each. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord entry) {
        lines.add(entry.getLevel() + " " + entry.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
        logger.setLevel(null);
    }
}
