package dev.holdfast.server.node;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.Promises;
import dev.holdfast.node.Seal;
import dev.holdfast.server.client.FileProblem;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A journal that keeps a node's promises in a file, in a folder that one server uses at a time (PROTOCOL §5). Thread-safe.
 *
 * <p>The journal writes votes and fences {@value #AHEAD_MILLIS} ms ahead, so that it needs an occasional write instead of one for each vote. Promises that
 * arrive during a write share the next write. A failed write promises nothing ({@link JournalFile}).
 */
final class PromiseJournal implements Promises, AutoCloseable {

    private static final long AHEAD_MILLIS = 1_000;
    private static final long AHEAD_FENCE = FenceFromTime.ofAbsent(AHEAD_MILLIS);
    private static final long RETRY_NANOS = 500_000_000;
    private static final System.Logger LOG = ServerLogger.get();

    private final Timing timing;
    private final Path path;
    private final FileChannel lock;
    private final JournalState found;
    private final boolean isNew;

    private final JournalFile file;

    private final Object monitor = new Object();
    private final Map<String, Sealed> seals = new LinkedHashMap<>();
    private long writtenUntilMillis;
    private long writtenFence;
    private JournalState.Folder writtenFolder;

    /** Whether a client has ever asked this node for a vote. */
    private volatile boolean asked;

    private List<PendingWrite> pendingWrites = new ArrayList<>();
    private boolean writing;
    private boolean closed;
    private @Nullable IOException trouble;
    private long retryNanos;

    /** A seal, by the wall clock. */
    record Sealed(String resource, String by, long sinceMillis, long untilMillis) {}

    /** A write that is pending; it may complete the folder, which then lacks no promise. */
    private record PendingWrite(
            long untilMillis, long fence, @Nullable Sealed sealing, boolean completes, CompletableFuture<Void> kept) {}

    /**
     * Reads the promises of earlier runs.
     *
     * @throws HoldfastException if the folder can't be used or is used by another server, or if its file is damaged
     */
    PromiseJournal(Path folder, Timing timing) {
        this(folder, timing, FileChannel::open);
    }

    PromiseJournal(Path folder, Timing timing, JournalFile.Opener opener) {
        this.path = folder;
        this.file = new JournalFile(folder, opener);
        this.timing = timing;
        try {
            Files.createDirectories(folder);
            this.lock = JournalFile.locked(folder);
        } catch (IOException e) {
            throw new HoldfastException("the data folder " + folder + " " + FileProblem.ofFolder(e));
        }
        try {
            Path promises = folder.resolve(JournalFile.NAME);
            this.isNew = !Files.exists(promises);
            this.found = isNew ? ofAnEmptyFolder(timing) : JournalState.read(promises);
            this.writtenFolder = found.folder();
            this.asked = found.folder().asked();
            this.writtenUntilMillis = found.untilMillis();
            this.writtenFence = found.fence();
            seals.putAll(found.seals());
            start();
        } catch (IOException | RuntimeException e) {
            JournalFile.closeQuietly(lock);
            throw e instanceof HoldfastException known
                    ? known
                    : new HoldfastException("the data folder " + folder + " "
                            + (e instanceof IOException io ? FileProblem.ofFolder(io) : "can't be used: " + e));
        }
    }

    private static JournalState ofAnEmptyFolder(Timing timing) {
        String incarnation = Long.toHexString(timing.random().nextLong());
        return new JournalState(
                0, 0, new JournalState.Folder(incarnation, timing.ticker().wallMillis(), false), Map.of());
    }

    /**
     * Starts a new file, since data in the file of the previous run may be readable without having reached the disk. A full disk does not prevent the start,
     * since the earlier promises are known. The journal makes no new promise until there is room.
     */
    private void start() throws IOException {
        try {
            file.replace(allLines());
        } catch (AccessDeniedException e) {
            throw e;
        } catch (IOException e) {
            if (isNew) {
                throw e;
            }
            fails(e);
        }
    }

    // ---- promises of earlier runs

    /**
     * Returns for how long the journal has known all votes, in ms. An operator who deleted the folder, or replaced its disk, may have deleted promises of earlier runs, and
     * a restart in between does not bring them back.
     */
    long knownForMillis() {
        JournalState.Folder now = folder();
        return now.isComplete() ? Long.MAX_VALUE : Math.max(timing.ticker().wallMillis() - now.newSinceMillis(), 0);
    }

    /** Returns what is known of the folder, except that it may have been asked since the latest write. */
    private JournalState.Folder folder() {
        synchronized (monitor) {
            return writtenFolder;
        }
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

    // ---- promises of this run

    /** Returns the name that the folder got when it was found empty. */
    String incarnation() {
        return found.folder().incarnation();
    }

    /** Returns whether a client has ever asked this node for a vote. */
    boolean wasAsked() {
        return asked;
    }

    /** Notes that a client asks this node for a vote. The promise of the answer includes it. */
    void noteAsked() {
        asked = true;
    }

    /**
     * Records that the folder lacks no promise of an earlier one, although it is new.
     *
     * @return completes on any thread once that would survive a crash; exceptionally if it cannot be written
     */
    CompletionStage<Void> complete() {
        synchronized (monitor) {
            return written(0, 0, null, true);
        }
    }

    @Override
    public CompletionStage<Void> keep(long votesMillis, long fence, @Nullable SealedResource resource) {
        long now = timing.ticker().wallMillis();
        long until = votesMillis <= 0 ? 0 : now + votesMillis;
        synchronized (monitor) {
            boolean isKept = until <= writtenUntilMillis && fence <= writtenFence && asked == writtenFolder.asked();
            Sealed toWrite = resource == null ? null : byWallClock(resource, now);
            return isKept && (toWrite == null || isWritten(toWrite))
                    ? CompletableFuture.completedFuture(null)
                    : written(until, fence, toWrite, false);
        }
    }

    /** Writes these facts soon; under the monitor. */
    private CompletionStage<Void> written(long until, long fence, @Nullable Sealed sealing, boolean completes) {
        if (closed) {
            return CompletableFuture.failedFuture(new IOException("the journal is closed"));
        }
        IOException why = trouble;
        if (why != null && timing.ticker().nanos() - retryNanos < 0) {
            return CompletableFuture.failedFuture(why);
        }
        CompletableFuture<Void> kept = new CompletableFuture<>();
        pendingWrites.add(new PendingWrite(until, fence, sealing, completes, kept));
        if (!writing) {
            writing = true;
            timing.scheduler().execute(this::writeAll);
        }
        return kept;
    }

    /** Returns whether the seal is written as it is now; the wall clock may have been adjusted since. */
    private boolean isWritten(Sealed one) {
        Sealed written = seals.get(one.resource());
        return written != null && written.untilMillis() >= one.untilMillis() - AHEAD_MILLIS;
    }

    private static Sealed byWallClock(SealedResource resource, long now) {
        Seal seal = resource.seal();
        return new Sealed(
                resource.resource(),
                seal.by(),
                now - seal.agoMillis(),
                now + seal.remainingMillis().orElseThrow());
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

    /** Records a failure. It is logged once and not for each request, since logs may be on the same disk. */
    private void fails(IOException e) {
        boolean isNews;
        synchronized (monitor) {
            isNews = trouble == null;
            trouble = e;
            retryNanos = timing.ticker().nanos() + RETRY_NANOS;
        }
        if (isNews) {
            LOG.log(Level.ERROR, path + " cannot be written, so this node makes no new promises until it can: " + e);
        }
    }

    private void works() {
        synchronized (monitor) {
            if (trouble == null) {
                return;
            }
            trouble = null;
        }
        LOG.log(Level.INFO, path + " can be written again");
    }

    /** Returns why the journal makes no new promises; null if it works. */
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
        JournalState.Folder folder;
        synchronized (monitor) {
            boolean complete = writtenFolder.isComplete() || batch.stream().anyMatch(PendingWrite::completes);
            folder = new JournalState.Folder(
                    writtenFolder.incarnation(), complete ? 0 : writtenFolder.newSinceMillis(), asked);
            until = until > writtenUntilMillis ? until + AHEAD_MILLIS : writtenUntilMillis;
            fence = fence > writtenFence ? fence + AHEAD_FENCE : writtenFence;
        }
        lines.append(JournalState.line(until, fence, folder));
        file.append(lines.toString(), this::allLines);
        synchronized (monitor) {
            writtenUntilMillis = until;
            writtenFence = fence;
            writtenFolder = folder;
            written.forEach(one -> seals.merge(one.resource(), one, JournalState::later));
        }
        file.compact(this::allLines);
    }

    /** Returns the lines of a file that contains only the current promises. */
    private String allLines() {
        StringBuilder lines = new StringBuilder(JournalState.HEAD);
        synchronized (monitor) {
            long now = timing.ticker().wallMillis();
            seals.values().removeIf(one -> one.untilMillis() <= now);
            seals.values().forEach(one -> lines.append(JournalState.line(one)));
            lines.append(JournalState.line(writtenUntilMillis, writtenFence, writtenFolder));
        }
        return lines.toString();
    }

    @Override
    public void settle(long votesMillis, long fence) {
        synchronized (monitor) {
            closed = true;
            awaitWrites();
            writtenUntilMillis = votesMillis <= 0 ? 0 : timing.ticker().wallMillis() + votesMillis;
            writtenFence = Math.max(found.fence(), fence);
            writtenFolder = new JournalState.Folder(writtenFolder.incarnation(), writtenFolder.newSinceMillis(), asked);
        }
        try {
            file.append(JournalState.line(writtenUntilMillis, writtenFence, writtenFolder), this::allLines);
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    path
                            + " can't be written at the end, so the next run does not vote for as long as after a"
                            + " crash: "
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

    /** Releases the folder. */
    @Override
    public void close() {
        synchronized (monitor) {
            closed = true;
            awaitWrites();
        }
        file.close();
        JournalFile.closeQuietly(lock);
    }
}
