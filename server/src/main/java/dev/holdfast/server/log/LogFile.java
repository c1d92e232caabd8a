package dev.holdfast.server.log;

import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Scheduler;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file to which a worker appends lines, so that a thread that adds a line never waits for a disk. Thread-safe. The system rotates the file. After a move, the
 * next lines go to a new file of the same name; after a truncation, they go to its new end.
 */
final class LogFile implements LineLog {

    private static final System.Logger LOG = ServerLogger.get();

    /** How many lines may wait for the disk; the file drops further ones, and counts them. */
    private static final int MOST_BEHIND = 10_000;

    private final Path path;
    private final Scheduler scheduler;
    private final AtomicLong lost = new AtomicLong();

    /** The lock for the pending lines; never held while writing. */
    private final Object queue = new Object();

    private List<String> behind = new ArrayList<>();
    private boolean writing;

    /** The lock that is held while writing; it guards the other fields. */
    private final Object disk = new Object();

    private @Nullable OutputStream out;
    private @Nullable Object fileKey;
    private boolean failing;

    /**
     * Opens the file, and creates it if it does not exist.
     *
     * @throws IllegalArgumentException if that fails; the message says why
     */
    LogFile(Path path, Scheduler scheduler) {
        this.path = path;
        this.scheduler = scheduler;
        try {
            open();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    this + " can't be written: " + e.getClass().getSimpleName(), e);
        }
    }

    private OutputStream open() throws IOException {
        OutputStream opened = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        out = opened;
        fileKey = keyNow();
        return opened;
    }

    private @Nullable Object keyNow() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return path; // differs from the key of every file
        }
    }

    @Override
    public boolean isRead() {
        return true;
    }

    @Override
    public void add(String line) {
        synchronized (queue) {
            if (behind.size() >= MOST_BEHIND) {
                lost.incrementAndGet();
                return;
            }
            behind.add(line);
            if (writing) {
                return;
            }
            writing = true;
        }
        scheduler.execute(this::writeAll);
    }

    private void writeAll() {
        synchronized (disk) {
            for (List<String> lines = next(); !lines.isEmpty(); lines = next()) {
                write(lines);
            }
        }
    }

    private List<String> next() {
        synchronized (queue) {
            List<String> lines = behind;
            behind = new ArrayList<>();
            writing = !lines.isEmpty();
            return lines;
        }
    }

    private void write(List<String> lines) {
        try {
            if (out != null && !Objects.equals(keyNow(), fileKey)) {
                closeStream();
            }
            OutputStream to = out == null ? open() : out;
            to.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
            say(false, "Writing to " + this + " works again");
        } catch (IOException e) {
            lost.addAndGet(lines.size());
            say(true, this + " cannot be written, and its lines are lost until it can: " + e);
            closeStream();
        }
    }

    /** Logs each change between success and failure once. */
    private void say(boolean isFailing, String what) {
        if (failing != isFailing) {
            failing = isFailing;
            LOG.log(Level.WARNING, what);
        }
    }

    private void closeStream() {
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, this + " can't be closed", e);
        }
        out = null;
    }

    @Override
    public long lost() {
        return lost.get();
    }

    @Override
    public void close() {
        synchronized (disk) {
            writeAll();
            closeStream();
        }
    }

    @Override
    public String toString() {
        return "the log file " + Printable.of(path.toString(), 300);
    }
}
