package dev.holdfast;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** A recorder of what a class logs during a test; the console then does not show it. */
public final class LogRecorder extends Handler implements AutoCloseable {

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private LogRecorder(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    public static LogRecorder of(Class<?> type) {
        return new LogRecorder(type.getName());
    }

    public static LogRecorder of(String name) {
        return new LogRecorder(name);
    }

    /** Returns the messages of this level and above, with their parameters filled in. */
    public List<String> messages(Level least) {
        SimpleFormatter formatter = new SimpleFormatter();
        return records.stream()
                .filter(logged -> logged.getLevel().intValue() >= least.intValue())
                .map(formatter::formatMessage)
                .toList();
    }

    @Override
    public void publish(LogRecord logged) {
        records.add(logged);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
