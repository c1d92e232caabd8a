package dev.holdfast.server.node;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.server.message.ServerLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The file of a journal. It only grows, and is replaced when it has grown a lot. Used by one thread at a time.
 *
 * <p>The file truncates what a failed write left at its end. If that fails too, or a force to the disk has failed, nothing after the last good force of that
 * file is trusted, and no later force. The next write goes to a new file (docs/decisions/0032).
 */
final class JournalFile implements AutoCloseable {

    static final String NAME = "promises";
    private static final String LOCK_FILE = "lock";

    private static final System.Logger LOG = ServerLogger.get();
    private static final long LARGE_BYTES = 8L << 20;

    /** A way to open files; tests use one that fails. */
    @FunctionalInterface
    interface Opener {
        FileChannel open(Path path, OpenOption... options) throws IOException;
    }

    private final Path folder;
    private final Opener opener;
    private @Nullable FileChannel file;
    private long sizeWhenNew;

    /** How much of the file has been forced to the disk. */
    private long goodLength;

    /** Whether the file must be replaced before anything else is written. */
    private boolean broken;

    JournalFile(Path folder, Opener opener) {
        this.folder = folder;
        this.opener = opener;
    }

    /**
     * Locks the folder until the channel is closed.
     *
     * @throws HoldfastException if another server uses the folder
     */
    static FileChannel locked(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // A server of this process uses the folder.
        }
        channel.close();
        throw new HoldfastException("the data folder " + folder + " is in use by another server");
    }

    /**
     * Appends all lines to the file, or none.
     *
     * @param all returns the lines of a new file, without these, if the present one cannot be trusted
     */
    void append(String lines, Supplier<String> all) throws IOException {
        FileChannel channel = broken || file == null ? replace(all.get()) : file;
        try {
            write(channel, lines);
        } catch (IOException e) {
            cutOff(channel);
            throw e;
        }
        force(channel);
        goodLength = channel.position();
    }

    private static void write(FileChannel channel, String lines) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Forces the file to the disk. After a failed force the next one may succeed although data was lost, since the system has dropped it. */
    private void force(FileChannel channel) throws IOException {
        try {
            channel.force(false);
        } catch (IOException e) {
            cutOff(channel);
            broken = true;
            throw e;
        }
    }

    /** Truncates what a failed write has left, so that the next line starts cleanly. */
    private void cutOff(FileChannel channel) {
        try {
            channel.truncate(goodLength);
            channel.force(true);
        } catch (IOException e) {
            broken = true;
        }
    }

    /** Replaces the file if it has grown a lot. A failure is harmless, since both files contain all earlier lines that count. */
    void compact(Supplier<String> all) {
        if (goodLength <= sizeWhenNew + LARGE_BYTES) {
            return;
        }
        try {
            replace(all.get());
        } catch (IOException e) {
            sizeWhenNew = goodLength; // tries again when the file has grown by the same amount again
            LOG.log(Level.WARNING, folder.resolve(NAME) + " cannot be rewritten, so it continues to grow: " + e);
        }
    }

    /** Replaces the file with a new one that contains only these lines, and returns it. */
    FileChannel replace(String lines) throws IOException {
        Path fresh = folder.resolve(NAME + ".new");
        FileChannel channel = null;
        try {
            Files.deleteIfExists(fresh); // an earlier file, whose pages may have failed to reach the disk
            channel = opener.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            write(channel, lines);
            channel.force(false);
            Files.move(
                    fresh, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            closeQuietly(channel);
            deleteQuietly(fresh); // frees the room that the file takes up
            throw e;
        }
        closeQuietly(file);
        file = channel;
        goodLength = channel.position();
        sizeWhenNew = goodLength;
        broken = true; // until a crash is certain to leave this file, and not the previous one
        try (FileChannel directory = opener.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
        broken = false;
        return channel;
    }

    private static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The next attempt deletes it first.
        }
    }

    @Override
    public void close() {
        closeQuietly(file);
    }

    static void closeQuietly(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // All lines that count have already been forced to the disk.
        }
    }
}
