package dev.holdfast.server.log;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The logs of a server, each in a file or a logger. Thread-safe. */
public final class Logs implements AutoCloseable {

    private static final long SUMMARY_NANOS = 60_000_000_000L;

    private final LineLog auditLines;
    private final LineLog accessLines;
    private final Scheduler scheduler;
    private volatile Timer summary;

    /** The log of actions and rejected callers. */
    public final AuditLog audit;

    /** The log of answered requests. */
    public final AccessLog access;

    /**
     * Opens the logs.
     *
     * @param accessFile null for a logger
     * @param auditFile null for a logger
     * @throws IllegalArgumentException if a file can't be written
     */
    public Logs(@Nullable Path accessFile, @Nullable Path auditFile, Timing timing) {
        auditLines = lines(auditFile, AuditLog.LOGGER, Level.INFO, timing);
        accessLines = lines(accessFile, AccessLog.LOGGER, Level.DEBUG, timing);
        audit = new AuditLog(auditLines, timing.ticker());
        access = new AccessLog(accessLines, audit, timing.ticker());
        this.scheduler = timing.scheduler();
        summary = summarizeLater();
    }

    private Timer summarizeLater() {
        return scheduler.schedule(SUMMARY_NANOS, () -> {
            audit.summarize();
            summary = summarizeLater();
        });
    }

    private static LineLog lines(@Nullable Path file, String logger, Level level, Timing timing) {
        return file == null ? LineLog.logger(logger, level) : new LogFile(file, timing.scheduler());
    }

    /** Returns how many lines of each log could not be written. */
    public Map<String, Long> lost() {
        return new TreeMap<>(Map.of("access", accessLines.lost(), "audit", auditLines.lost()));
    }

    @Override
    public void close() {
        summary.cancel();
        audit.summarize();
        auditLines.close();
        accessLines.close();
    }
}
