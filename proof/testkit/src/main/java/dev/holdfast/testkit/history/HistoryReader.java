package dev.holdfast.testkit.history;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A reader of the files that {@link HistoryWriter}s write. */
public final class HistoryReader {

    private HistoryReader() {}

    /**
     * Returns all events of these files, except for an incomplete last line, which a killed process was writing.
     *
     * @throws IOException if a file can't be read, or has a line that is not an event; the message names it
     */
    public static List<Event> read(Collection<Path> files) throws IOException {
        List<Event> events = new ArrayList<>();
        for (Path file : files) {
            read(file, events);
        }
        return events;
    }

    private static void read(Path file, List<Event> events) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        int number = 0;
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            number++;
            try {
                events.add(EventText.event(text.substring(start, end)));
            } catch (IllegalArgumentException e) {
                throw new IOException(file.getFileName() + ", line " + number + ": " + e.getMessage(), e);
            }
            start = end + 1;
        }
    }
}
