package dev.holdfast.testkit.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A writer that appends events to the file of one process. Thread-safe.
 *
 * <p>{@link #write} hands each event to the operating system before it returns. A process that is killed therefore
 * loses none of its written events; only the line that it was writing may be incomplete.
 */
public final class HistoryWriter implements AutoCloseable {

    private final OutputStream file;

    private HistoryWriter(OutputStream file) {
        this.file = file;
    }

    /** Opens the file for appending, and creates it if it does not exist. Only one process may write to it. */
    public static HistoryWriter appendTo(Path path) {
        try {
            // This is not a FileChannel: an interrupt, which a lost lease may cause, would close it.
            return new HistoryWriter(new FileOutputStream(path.toFile(), true));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes one event. */
    public synchronized void write(Event event) {
        try {
            file.write((EventText.line(event) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("a history that lacks an event proves nothing", e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
