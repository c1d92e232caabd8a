package dev.holdfast.server;

import dev.holdfast.HoldfastException;
import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.Promises;
import dev.holdfast.node.Seal;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A node's promises in a file of a folder that one server uses at a time (PROTOCOL §5). Thread-safe.
 *
 * <p>Votes and fences are written ahead, by {@value #AHEAD_MILLIS} ms, so that a write is needed once in a while and not with each vote; what comes
 * while a write is under way is one write together. The file only grows, and is written anew when it has grown a lot.
 */
final class PromiseJournal implements Promises, AutoCloseable {

    static final String FILE = "promises";

    private static final String LOCK_FILE = "lock";
    private static final long AHEAD_MILLIS = 1_000;
    private static final long AHEAD_FENCE = FenceFromTime.ofAbsent(AHEAD_MILLIS);
    private static final long LARGE_BYTES = 8L << 20;

    private final Timing timing;
    private final Path folder;
    private final FileChannel lock;
    private final JournalState found;
    private final boolean isNew;

    private FileChannel file;
    private long sizeWhenNew;

    private final Object monitor = new Object();
    private final Map<String, Sealed> seals = new LinkedHashMap<>();
    private long writtenUntilMillis;
    private long writtenFence;
    private List<Wish> wishes = new ArrayList<>();
    private boolean writing;
    private boolean closed;

    /** A seal by the wall clock. */
    record Sealed(String resource, String by, long sinceMillis, long untilMillis) {}

    /** What waits to be written. */
    private record Wish(
            long untilMillis, long fence, @Nullable Sealed sealing, CompletableFuture<Void> kept) {}

    /**
     * Reads what earlier runs have promised.
     *
     * @throws HoldfastException if the folder can't be used, is used by another server, or its file is damaged
     */
    PromiseJournal(Path folder, Timing timing) {
        this.folder = folder;
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
            this.file = writtenAnew();
        } catch (IOException | RuntimeException e) {
            closeQuietly(lock);
            throw e instanceof HoldfastException known
                    ? known
                    : new HoldfastException("the data folder " + folder + " can't be used: " + e);
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
            CompletableFuture<Void> kept = new CompletableFuture<>();
            wishes.add(new Wish(until, fence, toWrite, kept));
            if (!writing) {
                writing = true;
                timing.scheduler().execute(this::writeAll);
            }
            return kept;
        }
    }

    private static Sealed byWallClock(SealedResource resource, long now) {
        Seal seal = resource.seal();
        return new Sealed(resource.resource(), seal.by(), now - seal.agoMillis(), now + seal.remainingMillis());
    }

    private void writeAll() {
        for (List<Wish> batch = next(); !batch.isEmpty(); batch = next()) {
            try {
                write(batch);
                batch.forEach(wish -> wish.kept.complete(null));
            } catch (IOException | RuntimeException e) {
                batch.forEach(wish -> wish.kept.completeExceptionally(e));
            }
        }
    }

    private List<Wish> next() {
        synchronized (monitor) {
            List<Wish> batch = wishes;
            wishes = new ArrayList<>();
            writing = !batch.isEmpty();
            if (!writing) {
                monitor.notifyAll();
            }
            return batch;
        }
    }

    private void write(List<Wish> batch) throws IOException {
        long until = 0;
        long fence = 0;
        StringBuilder lines = new StringBuilder();
        List<Sealed> written = new ArrayList<>();
        for (Wish wish : batch) {
            until = Math.max(until, wish.untilMillis);
            fence = Math.max(fence, wish.fence);
            if (wish.sealing != null) {
                written.add(wish.sealing);
                lines.append(JournalState.line(wish.sealing));
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
        if (file.size() > sizeWhenNew + LARGE_BYTES) {
            file = writtenAnew();
        }
    }

    private void append(String lines) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
        file.force(false);
    }

    /** A file with what matters still, in the place of the one there is; its channel is at the end. */
    private FileChannel writtenAnew() throws IOException {
        StringBuilder lines = new StringBuilder(JournalState.HEAD);
        synchronized (monitor) {
            long now = timing.ticker().wallMillis();
            seals.values().removeIf(one -> one.untilMillis() <= now);
            seals.values().forEach(one -> lines.append(JournalState.line(one)));
            lines.append(JournalState.line(writtenUntilMillis, writtenFence));
        }
        Path fresh = folder.resolve(FILE + ".new");
        FileChannel before = file;
        FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            file = channel;
            append(lines.toString());
            Files.move(
                    fresh, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel directory = FileChannel.open(folder)) {
                directory.force(true);
            }
        } catch (IOException e) {
            file = before;
            closeQuietly(channel);
            throw e;
        }
        sizeWhenNew = channel.size();
        closeQuietly(before);
        return channel;
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
            throw new UncheckedIOException("what the node has promised can't be written down", e);
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
