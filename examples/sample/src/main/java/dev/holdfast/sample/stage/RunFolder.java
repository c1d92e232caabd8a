package dev.holdfast.sample.stage;

import dev.holdfast.redis.process.RedisFleet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** The folder of one run at a time; empty at its start, deleted at its end. */
final class RunFolder {

    private final Path path;
    private final FileChannel lock;

    private RunFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Locks the folder, and deletes the files of a killed run. */
    static RunFolder take(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            FileChannel lock =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isTaken(lock)) {
                lock.close();
                throw new StageException("another sample runs in " + path + "; end that one first", null);
            }
            RedisFleet.in(path.resolve("nodes")).down();
            delete(path, false);
            return new RunFolder(path, lock);
        } catch (IOException e) {
            throw new StageException("can't write to " + path + ": " + e.getMessage(), e);
        }
    }

    private static boolean isTaken(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    Path path() {
        return path;
    }

    void close() {
        try {
            delete(path, true);
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path root, boolean all) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                boolean ours = file.equals(root) || file.equals(root.resolve("lock"));
                if (all || !ours) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
