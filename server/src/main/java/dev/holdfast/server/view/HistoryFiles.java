package dev.holdfast.server.view;

import dev.holdfast.server.event.Event;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The history of locks and nodes on disk: a file for each hour, with one event a line. The files contain no extensions, which are the majority of all
 * events. The oldest files are deleted when they are too old, or when all files together are too large. Thread-safe; a worker writes the files, and
 * never the thread that reports an event.
 */
final class HistoryFiles implements Consumer<Event>, AutoCloseable {

    private static final System.Logger LOG = ServerLogger.get();

    static final String STARTED = "server-started";
    private static final String SUFFIX = ".jsonl";
    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
    private static final long MOST_BYTES = 256L << 20;
    private static final int MOST_BEHIND = 100_000;

    private final Path folder;
    private final Timing timing;
    private final long keptMillis;

    /** The events that are not yet on disk. Its monitor also guards {@link #writing}; no thread holds the monitor while it writes to the disk. */
    private final Deque<Line> behind = new ArrayDeque<>();

    private boolean writing;

    /** The time up to which events were dropped, because the disk was too slow, too small or failing. */
    private volatile long droppedMillis;

    /** Guards the end of the files, and their deletion. */
    private final Object disk = new Object();

    /** Guards the reading, so that only one query at a time reads all files. Queries do not delay the writer. */
    private final Object reading = new Object();

    private volatile boolean closed;

    /** Whether the last line on disk may have no end: after a crash, or a full disk. */
    private boolean cut = true;

    /** An event that waits for the disk. */
    private record Line(long atMillis, String text) {}

    /**
     * Opens the folder, creates it if it does not exist, and records the start of the server.
     *
     * @param kept how long the files are kept
     * @throws IllegalArgumentException if the folder can't be created
     */
    HistoryFiles(Path folder, Duration kept, Timing timing) {
        this.folder = folder;
        this.timing = timing;
        this.keptMillis = kept.toMillis();
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new IllegalArgumentException("can't create " + folder + " for the history: " + e.getMessage(), e);
        }
        long now = timing.ticker().wallMillis();
        add(now, Json.text(Json.object().put("type", STARTED).put("atMillis", now)));
    }

    @Override
    public void accept(Event event) {
        if (event.type() != Event.Type.EXTENDED) {
            add(event.atMillis(), event.data());
        }
    }

    private void add(long atMillis, String text) {
        synchronized (behind) {
            if (behind.size() >= MOST_BEHIND) {
                droppedMillis = atMillis;
                return;
            }
            behind.add(new Line(atMillis, text));
            if (writing) {
                return;
            }
            writing = true;
        }
        timing.scheduler().execute(this::write);
    }

    private void write() {
        for (List<Line> lines = taken(); !lines.isEmpty(); lines = taken()) {
            try {
                append(lines);
            } catch (IOException e) {
                droppedMillis = lines.get(lines.size() - 1).atMillis();
                LOG.log(Level.WARNING, "Can't write the history to " + folder + "; the page will miss these events", e);
            }
        }
    }

    private List<Line> taken() {
        synchronized (behind) {
            List<Line> lines = List.copyOf(behind);
            behind.clear();
            writing = !lines.isEmpty();
            return lines;
        }
    }

    private void append(List<Line> lines) throws IOException {
        synchronized (disk) {
            int from = 0;
            while (from < lines.size()) {
                long hour = lines.get(from).atMillis() / HOUR_MILLIS;
                StringBuilder text = new StringBuilder();
                while (from < lines.size() && lines.get(from).atMillis() / HOUR_MILLIS == hour) {
                    text.append(lines.get(from++).text()).append('\n');
                }
                Path file = folder.resolve(hour + SUFFIX);
                String end = cut && !endsWithLine(file) ? "\n" : "";
                cut = true;
                Files.writeString(file, end + text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                cut = false;
            }
            deleteOld();
        }
    }

    private static boolean endsWithLine(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) {
            return true;
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) == '\n';
        }
    }

    private void deleteOld() throws IOException {
        long oldest = (timing.ticker().wallMillis() - keptMillis) / HOUR_MILLIS;
        List<Long> hours = hours();
        long bytes = 0;
        for (int i = hours.size() - 1; i >= 0; i--) {
            Path file = folder.resolve(hours.get(i) + SUFFIX);
            bytes += Files.size(file);
            if (hours.get(i) < oldest || (bytes > MOST_BYTES && i < hours.size() - 1)) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Returns the hours since 1970 that have a file, the oldest first. */
    private List<Long> hours() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d{1,9}\\" + SUFFIX))
                    .map(name -> Long.valueOf(name.substring(0, name.length() - SUFFIX.length())))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Passes the events between these times to the reader, the oldest first. Blocks while it reads the files, and ends early once this is closed.
     *
     * @param mayMatch selects lines before they are parsed
     * @return the time since which all events are present
     */
    long read(long fromMillis, long toMillis, Predicate<String> mayMatch, Consumer<JsonNode> reader) {
        synchronized (reading) {
            try {
                List<Long> hours = hours();
                for (Long hour : hours) {
                    if (hour >= fromMillis / HOUR_MILLIS && hour <= toMillis / HOUR_MILLIS) {
                        readFile(folder.resolve(hour + SUFFIX), line -> {
                            JsonNode event = mayMatch.test(line) ? parsed(line) : null;
                            long at =
                                    event == null ? -1 : event.path("atMillis").asLong(-1);
                            if (event != null && at >= Math.max(0, fromMillis) && at <= toMillis) {
                                reader.accept(event);
                            }
                        });
                    }
                }
                long known = hours.isEmpty() ? timing.ticker().wallMillis() : firstMillis(hours.get(0));
                return Math.max(Math.max(known, fromMillis), Math.min(droppedMillis, toMillis));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns the time of the first event of a file. Before that time the server did not run, or its files have been deleted. A file may be deleted meanwhile. */
    private long firstMillis(long hour) throws IOException {
        try (BufferedReader lines = reader(folder.resolve(hour + SUFFIX))) {
            String first = lines.readLine();
            JsonNode event = first == null ? null : parsed(first);
            return event == null ? hour * HOUR_MILLIS : event.path("atMillis").asLong(hour * HOUR_MILLIS);
        } catch (NoSuchFileException e) {
            return (hour + 1) * HOUR_MILLIS;
        }
    }

    /** Returns a reader that replaces what is not UTF-8, since a crash may have cut a character. */
    private static BufferedReader reader(Path file) throws IOException {
        return new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8));
    }

    private void readFile(Path file, Consumer<String> reader) throws IOException {
        try (BufferedReader lines = reader(file)) {
            for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                reader.accept(line);
            }
        } catch (NoSuchFileException e) {
            LOG.log(Level.DEBUG, "A file of the history has just been deleted", e);
        }
    }

    /** Returns the event; null if a crash has cut the line. */
    private static @Nullable JsonNode parsed(String line) {
        try {
            return Json.MAPPER.readTree(line);
        } catch (JacksonException e) {
            LOG.log(Level.DEBUG, "A line of the history is incomplete", e);
            return null;
        }
    }

    /** Writes the events that are not yet on disk. */
    @Override
    public void close() {
        closed = true;
        List<Line> rest = new ArrayList<>(taken());
        try {
            append(rest);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "Can't write the last events of the history to " + folder, e);
        }
    }
}
