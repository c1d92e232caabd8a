package dev.holdfast.server.log;

import java.lang.System.Logger.Level;

/** Where lines of a log go. Thread-safe; adding one never blocks. */
interface LineLog extends AutoCloseable {

    /** Adds a line, without its end. */
    void add(String line);

    /** Whether a line that is added can be seen by anybody. */
    boolean isRead();

    /** How many lines could not be written, and are gone. */
    long lost();

    /** Writes what has been added, and ends. */
    @Override
    void close();

    /** To a logger of the JDK's. */
    static LineLog logger(String name, Level level) {
        System.Logger logger = System.getLogger(name);
        return new LineLog() {
            @Override
            public void add(String line) {
                logger.log(level, () -> line); // a supplier's text is no pattern, whatever is in it
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
