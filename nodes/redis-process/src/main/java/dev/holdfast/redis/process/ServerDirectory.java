package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one server, with its configuration and its data.
 *
 * @param root an absolute path
 * @param log the log file; in the directory unless the caller chooses another place
 */
record ServerDirectory(Path root, Path log) {

    private static final long TAIL_BYTES = 4096;

    static ServerDirectory in(Path root, @Nullable Path log) {
        Path absolute = root.toAbsolutePath().normalize();
        return new ServerDirectory(absolute, log == null ? absolute.resolve("redis.log") : log.toAbsolutePath());
    }

    Path config() {
        return root.resolve("redis.conf");
    }

    Path data() {
        return root.resolve("data");
    }

    /**
     * Returns the file of the pid. The server writes it itself, so a JVM that finds only the directory knows the pid
     * too.
     */
    Path pidFile() {
        return root.resolve("redis.pid");
    }

    /** Returns the server that runs in this directory; empty if another program has its pid by now. */
    Optional<OsProcess> process() {
        return pid().flatMap(OsProcess::find).filter(process -> process.wasStartedWith(config().toString()));
    }

    /** Returns the pid that a server last recorded here; its process may have ended since. */
    private Optional<Long> pid() {
        try {
            return Optional.of(Long.parseLong(Files.readString(pidFile()).strip()));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    void create() {
        try {
            Files.createDirectories(data());
            Files.createDirectories(log.resolveSibling(""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean hasData() {
        try (Stream<Path> files = Files.list(data())) {
            return files.findAny().isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    void wipeData() {
        FileTree.delete(data());
        create();
    }

    void delete() {
        FileTree.delete(root);
    }

    /** Returns the length of the append-only file in bytes. */
    long aofSize() {
        try {
            return Files.size(requiredAof());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path requiredAof() {
        return aof().orElseThrow(() -> new IllegalStateException("no append-only file in " + data()));
    }

    /**
     * Cuts bytes off the end of the append-only file.
     *
     * @return how many bytes were cut; fewer than asked for if the file is shorter
     */
    long truncateAof(long bytes) {
        try (FileChannel channel = FileChannel.open(requiredAof(), StandardOpenOption.WRITE)) {
            long size = channel.size();
            long cut = Math.min(bytes, size);
            channel.truncate(size - cut);
            return cut;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the append-only file. Redis 7 and later have several, of which this is the newest:
     * {@code appendonlydir/*.N.incr.aof}.
     */
    private Optional<Path> aof() {
        try (Stream<Path> files = Files.walk(data())) {
            return files.filter(file -> file.toString().endsWith(".incr.aof")
                            || file.getFileName().toString().equals("appendonly.aof"))
                    .max(Comparator.comparingLong(ServerDirectory::sequence));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long sequence(Path file) {
        List<String> parts = List.of(file.getFileName().toString().split("\\.", -1));
        return parts.size() < 3 ? 0 : Long.parseLong(parts.get(parts.size() - 3));
    }

    /** Returns the length of the log, which is where the output of the next start begins. */
    long logEnd() {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String logText() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8); // a crash report may hold any bytes
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the last lines of the log that were written after {@code from}. */
    String logTail(long from) {
        try (FileChannel channel = FileChannel.open(log)) {
            long size = channel.size();
            channel.position(Math.max(from, size - TAIL_BYTES));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }
}
