package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock that allows one change to a fleet at a time. A lock on a file, which ends with its JVM, excludes other JVMs; a
 * lock in memory excludes other threads of this one.
 */
public final class FleetLock {

    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    private FleetLock() {}

    /** Does the work while no other thread or process that uses this directory does any. */
    public static <T> T holding(Path directory, Supplier<T> work) {
        try {
            Path file = Files.createDirectories(directory).toRealPath().resolve("lock");
            ReentrantLock threads = THREADS.computeIfAbsent(file, any -> new ReentrantLock());
            threads.lock();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                Waiting.require(
                        WITHIN, () -> "another program did not release " + file, () -> tryLock(channel) != null);
                return work.get();
            } finally {
                threads.unlock();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tries to lock the file; closing the channel releases the lock. */
    private static @Nullable FileLock tryLock(FileChannel channel) {
        try {
            return channel.tryLock();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
