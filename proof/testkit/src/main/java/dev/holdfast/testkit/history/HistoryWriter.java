package dev.holdfast.testkit.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Appends events to a file of one process. Thread-safe.
 *
 * <p>Each event is handed to the operating system before {@link #write} returns, so a process that is killed loses nothing that it has
 * written; only the line that it was about to write may be torn.
 */
public final class HistoryWriter implements AutoCloseable {

    private final OutputStream file;

    private HistoryWriter(OutputStream file) {
        this.file = file;
    }

    /** Appends to the file, which is made if it is not there. One process only. */
    public static HistoryWriter appendTo(Path path) {
        try {
            // Not a FileChannel: an interrupt, which a lost lease may bring, would close it.
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
