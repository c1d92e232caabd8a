package dev.holdfast.server.log;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** The destination of a log's lines. Thread-safe; adding a line never blocks. */
interface LineLog extends AutoCloseable {

    DateTimeFormatter TIME = new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    /** Adds a line, without its end. */
    void add(String line);

    /** Returns whether a new line can reach a reader. */
    boolean isRead();

    /** Returns how many lines were lost because they could not be written. */
    long lost();

    /** Writes the pending lines, and closes the destination. */
    @Override
    void close();

    /** Returns a time as the logs write it, always with milliseconds, so that lines sort by their text. */
    static String time(long wallMillis) {
        return TIME.format(Instant.ofEpochMilli(wallMillis));
    }

    /** Returns a destination that writes to a logger of the JDK. */
    static LineLog logger(String name, Level level) {
        System.Logger logger = System.getLogger(name);
        return new LineLog() {
            @Override
            public void add(String line) {
                logger.log(level, () -> line); // a supplier's text is never a pattern
            }

            @Override
            public boolean isRead() {
                return logger.isLoggable(level);
            }

            @Override
            public long lost() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }
}
