package dev.holdfast.server.node;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.Promises;
import dev.holdfast.node.Seal;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A node's promises in a file of a folder that one server uses at a time (PROTOCOL §5). Thread-safe.
 *
 * <p>Votes and fences are written ahead, by {@value #AHEAD_MILLIS} ms, so that a write is needed once in a while and not with each vote; what comes
 * while a write is under way is one write together. The file only grows, and is written anew when it has grown a lot.
 *
 * <p>A write that fails promises nothing. What it left at the end of the file is cut off. If that fails too, or a force to the disk has failed, nothing that was
 * written to this file since the last good force is believed, and no later force of it: the next write goes to a new file (docs/decisions/0032).
 */
final class PromiseJournal implements Promises, AutoCloseable {

    static final String FILE = "promises";

    private static final String LOCK_FILE = "lock";
    private static final long AHEAD_MILLIS = 1_000;
    private static final long AHEAD_FENCE = FenceFromTime.ofAbsent(AHEAD_MILLIS);
    private static final long LARGE_BYTES = 8L << 20;
    private static final long RETRY_NANOS = 500_000_000;
    private static final System.Logger LOG = ServerLogger.get();

    private final Timing timing;
    private final Path folder;
    private final FileChannel lock;
    private final JournalState found;
    private final boolean isNew;

    private final Opener opener;

    private @Nullable FileChannel file;
    private long sizeWhenNew;

    /** How much of the file has been forced to the disk. */
    private long goodLength;

    /** Whether the file must be replaced before anything else is written. */
    private boolean broken;

    private final Object monitor = new Object();
    private final Map<String, Sealed> seals = new LinkedHashMap<>();
    private long writtenUntilMillis;
    private long writtenFence;
    private List<PendingWrite> pendingWrites = new ArrayList<>();
    private boolean writing;
    private boolean closed;
    private @Nullable IOException trouble;
    private long retryNanos;

    /** How files are opened; tests open some that fail. */
    @FunctionalInterface
    interface Opener {
        FileChannel open(Path path, OpenOption... options) throws IOException;
    }

    /** A seal by the wall clock. */
    record Sealed(String resource, String by, long sinceMillis, long untilMillis) {}

    /** What waits to be written. */
    private record PendingWrite(
            long untilMillis, long fence, @Nullable Sealed sealing, CompletableFuture<Void> kept) {}

    /**
     * Reads what earlier runs have promised.
     *
     * @throws HoldfastException if the folder can't be used, is used by another server, or its file is damaged
     */
    PromiseJournal(Path folder, Timing timing) {
        this(folder, timing, FileChannel::open);
    }

    PromiseJournal(Path folder, Timing timing, Opener opener) {
        this.folder = folder;
        this.opener = opener;
        this.timing = timing;
        try {
            Files.createDirectories(folder);
            this.lock = locked(folder.resolve(LOCK_FILE));
        } catch (IOException e) {
            throw new HoldfastException("the data folder " + folder + " can't be used: " + e);
        }
        try {
            Path path = folder.resolve(FILE);
            this.isNew = !Files.exists(path);
            this.found = isNew ? new JournalState(0, 0, Map.of()) : JournalState.read(path);
            this.writtenUntilMillis = found.untilMillis();
            this.writtenFence = found.fence();
            seals.putAll(found.seals());
            start();
        } catch (IOException | RuntimeException e) {
            closeQuietly(lock);
            throw e instanceof HoldfastException known
                    ? known
                    : new HoldfastException("the data folder " + folder + " can't be used: " + e);
        }
    }

    /**
     * Does not go on with the file of the run before: what it wrote may be readable though it never reached the disk. A full disk does not end the start, since
     * what was promised is known; nothing new is promised until there is room.
     */
    private void start() throws IOException {
        try {
            writeAnew();
        } catch (AccessDeniedException e) {
            throw e;
        } catch (IOException e) {
            if (isNew) {
                throw e;
            }
            broken = true;
            fails(e);
        }
    }

    private static FileChannel locked(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (java.nio.channels.OverlappingFileLockException e) {
            // by a server of this very process
        }
        channel.close();
        throw new HoldfastException("the data folder " + path.getParent() + " is in use by another server");
    }

    // ---- what earlier runs have promised

    /** Whether there was no file: what earlier runs have promised, if there were any, is not known. */
    boolean isNew() {
        return isNew;
    }

    @Override
    public long remainingMillis() {
        return Math.max(found.untilMillis() - timing.ticker().wallMillis(), 0);
    }

    @Override
    public long fence() {
        return found.fence();
    }

    @Override
    public List<SealedResource> seals() {
        long now = timing.ticker().wallMillis();
        return found.seals().values().stream()
                .filter(one -> one.untilMillis() > now)
                .map(one -> new SealedResource(
                        one.resource(),
                        new Seal(one.by(), Math.max(now - one.sinceMillis(), 0), one.untilMillis() - now)))
                .toList();
    }

    // ---- what this one promises

    @Override
    public CompletionStage<Void> keep(long votesMillis, long fence, @Nullable SealedResource resource) {
        long now = timing.ticker().wallMillis();
        long until = votesMillis <= 0 ? 0 : now + votesMillis;
        synchronized (monitor) {
            if (resource == null && until <= writtenUntilMillis && fence <= writtenFence) {
                return CompletableFuture.completedFuture(null);
            }
            if (closed) {
                return CompletableFuture.failedFuture(new IOException("the journal is closed"));
            }
            Sealed toWrite = resource == null ? null : byWallClock(resource, now);
            if (toWrite != null && isWritten(toWrite) && until <= writtenUntilMillis && fence <= writtenFence) {
                return CompletableFuture.completedFuture(null);
            }
            IOException why = trouble;
            if (why != null && timing.ticker().nanos() - retryNanos < 0) {
                return CompletableFuture.failedFuture(why);
            }
            CompletableFuture<Void> kept = new CompletableFuture<>();
            pendingWrites.add(new PendingWrite(until, fence, toWrite, kept));
            if (!writing) {
                writing = true;
                timing.scheduler().execute(this::writeAll);
            }
            return kept;
        }
    }

    /** The wall clock may have been adjusted since. */
    private boolean isWritten(Sealed one) {
        Sealed written = seals.get(one.resource());
        return written != null && written.untilMillis() >= one.untilMillis() - AHEAD_MILLIS;
    }

    private static Sealed byWallClock(SealedResource resource, long now) {
        Seal seal = resource.seal();
        return new Sealed(resource.resource(), seal.by(), now - seal.agoMillis(), now + seal.remainingMillis());
    }

    private void writeAll() {
        for (List<PendingWrite> batch = next(); !batch.isEmpty(); batch = next()) {
            try {
                write(batch);
                works();
                batch.forEach(write -> write.kept.complete(null));
            } catch (IOException | RuntimeException e) {
                fails(e instanceof IOException known ? known : new IOException(e));
                batch.forEach(write -> write.kept.completeExceptionally(e));
            }
        }
    }

    /** Logged once, and not for each request, since logs may be on the same disk. */
    private void fails(IOException e) {
        boolean isNews;
        synchronized (monitor) {
            isNews = trouble == null;
            trouble = e;
            retryNanos = timing.ticker().nanos() + RETRY_NANOS;
        }
        if (isNews) {
            LOG.log(Level.ERROR, folder + " can't be written, so this node promises nothing new until it can: " + e);
        }
    }

    private void works() {
        synchronized (monitor) {
            if (trouble == null) {
                return;
            }
            trouble = null;
        }
        LOG.log(Level.INFO, folder + " can be written again");
    }

    /** Why nothing new is promised; null if all is well. */
    @Nullable
    String trouble() {
        synchronized (monitor) {
            return trouble == null ? null : String.valueOf(trouble.getMessage());
        }
    }

    private List<PendingWrite> next() {
        synchronized (monitor) {
            List<PendingWrite> batch = pendingWrites;
            pendingWrites = new ArrayList<>();
            writing = !batch.isEmpty();
            if (!writing) {
                monitor.notifyAll();
            }
            return batch;
        }
    }

    private void write(List<PendingWrite> batch) throws IOException {
        long until = 0;
        long fence = 0;
        StringBuilder lines = new StringBuilder();
        List<Sealed> written = new ArrayList<>();
        for (PendingWrite write : batch) {
            until = Math.max(until, write.untilMillis);
            fence = Math.max(fence, write.fence);
            if (write.sealing != null) {
                written.add(write.sealing);
                lines.append(JournalState.line(write.sealing));
            }
        }
        synchronized (monitor) {
            until = until > writtenUntilMillis ? until + AHEAD_MILLIS : writtenUntilMillis;
            fence = fence > writtenFence ? fence + AHEAD_FENCE : writtenFence;
        }
        lines.append(JournalState.line(until, fence));
        append(lines.toString());
        synchronized (monitor) {
            writtenUntilMillis = until;
            writtenFence = fence;
            written.forEach(one -> seals.merge(one.resource(), one, JournalState::later));
        }
        if (goodLength > sizeWhenNew + LARGE_BYTES) {
            compact();
        }
    }

    /** What was written before is safe in either file, so nobody needs to know if it fails. */
    private void compact() {
        try {
            writeAnew();
        } catch (IOException e) {
            sizeWhenNew = goodLength; // tries again when the file has grown as much once more
            LOG.log(Level.WARNING, folder.resolve(FILE) + " can't be written anew, so it goes on growing: " + e);
        }
    }

    /** Adds lines to the file, all or none. */
    private void append(String lines) throws IOException {
        if (broken) {
            writeAnew();
        }
        FileChannel channel = Objects.requireNonNull(file);
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

    /** After one that failed, the next may succeed although what was written is lost: the system has dropped it. */
    private void force(FileChannel channel) throws IOException {
        try {
            channel.force(false);
        } catch (IOException e) {
            cutOff(channel);
            broken = true;
            throw e;
        }
    }

    /** Takes away what a failed write has left, so that nothing is glued on to it. */
    private void cutOff(FileChannel channel) {
        try {
            channel.truncate(goodLength);
            channel.force(true);
        } catch (IOException e) {
            broken = true;
        }
    }

    /** Puts a file with what matters still in the place of the one there is. */
    private void writeAnew() throws IOException {
        StringBuilder lines = new StringBuilder(JournalState.HEAD);
        synchronized (monitor) {
            long now = timing.ticker().wallMillis();
            seals.values().removeIf(one -> one.untilMillis() <= now);
            seals.values().forEach(one -> lines.append(JournalState.line(one)));
            lines.append(JournalState.line(writtenUntilMillis, writtenFence));
        }
        Path fresh = folder.resolve(FILE + ".new");
        FileChannel channel = null;
        try {
            Files.deleteIfExists(fresh); // an earlier one, whose pages may have failed to reach the disk
            channel = opener.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            write(channel, lines.toString());
            channel.force(false);
            Files.move(
                    fresh, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            closeQuietly(channel);
            deleteQuietly(fresh); // it takes up room
            throw e;
        }
        closeQuietly(file);
        file = channel;
        goodLength = channel.position();
        sizeWhenNew = goodLength;
        broken = true; // until it is certain that a crash leaves this file there, and not the one before
        try (FileChannel directory = opener.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
        broken = false;
    }

    private static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // the next attempt deletes it first
        }
    }

    @Override
    public void settle(long votesMillis, long fence) {
        synchronized (monitor) {
            closed = true;
            awaitWrites();
            writtenUntilMillis = votesMillis <= 0 ? 0 : timing.ticker().wallMillis() + votesMillis;
            writtenFence = Math.max(found.fence(), fence);
        }
        try {
            append(JournalState.line(writtenUntilMillis, writtenFence));
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    folder
                            + " can't be written at the end, so the next run does not vote for as long as after a crash: "
                            + e);
        }
    }

    private void awaitWrites() {
        boolean interrupted = false;
        while (writing) {
            try {
                monitor.wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets go of the folder. */
    @Override
    public void close() {
        synchronized (monitor) {
            closed = true;
            awaitWrites();
        }
        closeQuietly(file);
        closeQuietly(lock);
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // what was to be kept has been forced to the disk before
        }
    }
}
