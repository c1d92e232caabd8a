package dev.holdfast.server.log;

import java.lang.System.Logger.Level;

/** The destination of a log's lines. Thread-safe; adding a line never blocks. */
interface LineLog extends AutoCloseable {

    /** Adds a line, without its end. */
    void add(String line);

    /** Returns whether a new line can reach a reader. */
    boolean isRead();

    /** Returns how many lines were lost because they could not be written. */
    long lost();

    /** Writes the pending lines, and closes the destination. */
    @Override
    void close();

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
