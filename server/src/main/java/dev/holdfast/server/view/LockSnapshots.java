package dev.holdfast.server.view;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockListing;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.lease.ServersLocks;
import dev.holdfast.server.message.Problem;
import dev.holdfast.server.node.NodeWatch;
import dev.holdfast.time.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a prefix on all nodes, with any holder, as of a moment ago. The snapshots ask the nodes only while clients request them, and for at
 * most an eighth of the time. A snapshot of more locks may therefore be older. Thread-safe.
 */
final class LockSnapshots {

    /** The maximum number of locks in a snapshot. */
    static final int MOST_LOCKS = 10_000;

    private static final int MOST_BROKEN = 200;
    private static final int ASKED_AT_ONCE = 256;
    private static final long YOUNG_NANOS = 250_000_000L;
    private static final long QUICK_NANOS = 200_000_000L;
    private static final long OLDEST_NANOS = 10_000_000_000L;
    private static final int REST = 8;

    /** How long the first reader waits for all locks before it gets those that have been read. */
    private static final long FIRST_NANOS = 150_000_000L;

    private final Holdfast holdfast;
    private final Timing timing;
    private final Owners owners;
    private final NodeWatch nodes;
    private final RecentHistory history;
    private final String prefix;
    private @Nullable Snapshot snapshot;
    private @Nullable Reading running;

    /**
     * Creates an instance that has asked the nodes nothing yet.
     *
     * @param history names the locks whose leases were broken, which the snapshot has even if they are free
     * @param prefix the prefix of the locks' names
     */
    LockSnapshots(
            Holdfast holdfast, Timing timing, Owners owners, NodeWatch nodes, RecentHistory history, String prefix) {
        this.history = history;
        this.nodes = nodes;
        this.holdfast = holdfast;
        this.timing = timing;
        this.owners = owners;
        this.prefix = prefix;
    }

    /**
     * A snapshot of all locks, or of those that have been read so far.
     *
     * @param rows the locks in the order of their names
     * @param complete whether there are no further locks
     * @param unread how many more locks the nodes have listed, which are still to be read
     * @param atNanos when the snapshot began, by the ticker
     * @param tookNanos how long the snapshot took, in ns
     */
    record Snapshot(List<LockRow> rows, boolean complete, int unread, long atNanos, long tookNanos) {

        long ageMillis(Timing timing) {
            return (timing.ticker().nanos() - atNanos) / 1_000_000;
        }
    }

    /** A snapshot that is being taken. Its monitor guards the rows. */
    private static final class Reading {

        final CompletableFuture<Snapshot> whole = new CompletableFuture<>();
        final CompletableFuture<Snapshot> part = new CompletableFuture<>();
        private final long startNanos;
        private final List<LockRow> rows = new ArrayList<>();
        private int names;

        Reading(long startNanos) {
            this.startNanos = startNanos;
        }

        synchronized void has(int listed) {
            names = listed;
        }

        synchronized void read(LockRow row) {
            rows.add(row);
        }

        /** Returns the rows so far, if there are any. */
        synchronized Optional<Snapshot> soFar(long nowNanos) {
            return rows.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Snapshot(
                            List.copyOf(rows), false, names - rows.size(), startNanos, nowNanos - startNanos));
        }
    }

    /**
     * Returns the latest snapshot, or a new one if that is too old. Blocks only if the latest one is also too old to return while the new one is
     * taken.
     */
    Snapshot recent() {
        return wait(reading -> reading.whole);
    }

    /** Returns a snapshot as {@link #recent} does. Instead of blocking for long, it returns the locks that have been read so far. */
    Snapshot soon() {
        return wait(reading -> reading.soFar(timing.ticker().nanos())
                .filter(part -> part.tookNanos() >= FIRST_NANOS)
                .<CompletableFuture<Snapshot>>map(CompletableFuture::completedFuture)
                .orElse(reading.part));
    }

    private Snapshot wait(Function<Reading, CompletableFuture<Snapshot>> what) {
        Reading reading;
        synchronized (this) {
            Snapshot last = snapshot;
            long age = last == null ? 0 : timing.ticker().nanos() - last.atNanos();
            if (last != null && age < Math.max(YOUNG_NANOS, REST * last.tookNanos())) {
                return last;
            }
            reading = running == null ? start() : running;
            boolean slow = last != null && last.tookNanos() >= QUICK_NANOS;
            if (last != null && slow && age < OLDEST_NANOS + 2 * REST * last.tookNanos()) {
                return last;
            }
        }
        try {
            return what.apply(reading).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private Reading start() {
        Reading started = new Reading(timing.ticker().nanos());
        running = started;
        showPart(started, FIRST_NANOS);
        timing.scheduler().execute(() -> {
            try {
                Snapshot taken = take(started);
                over(taken);
                started.part.complete(taken);
                started.whole.complete(taken);
            } catch (InterruptedException
                    | RuntimeException
                    | Error e) { // readers wait for an outcome, even for an error
                over(null);
                started.part.completeExceptionally(e);
                started.whole.completeExceptionally(e);
            }
        });
        return started;
    }

    /** Completes after this time what waits for a part, or tries again later if nothing has been read yet. */
    private void showPart(Reading reading, long nanos) {
        timing.scheduler()
                .schedule(
                        nanos,
                        () -> reading.soFar(timing.ticker().nanos()).ifPresentOrElse(reading.part::complete, () -> {
                            if (!reading.whole.isDone()) {
                                showPart(reading, FIRST_NANOS / 3);
                            }
                        }));
    }

    private synchronized void over(@Nullable Snapshot taken) {
        running = null;
        snapshot = taken == null ? snapshot : taken;
    }

    private Snapshot take(Reading reading) throws InterruptedException {
        LockListing listed = holdfast.admin().list(prefix, MOST_LOCKS);
        TreeSet<String> names = new TreeSet<>(listed.names());
        names.removeIf(name -> ServersLocks.contain(name) || !canBeAsked(name));
        names.addAll(history.broken(lock -> lock.startsWith(prefix), MOST_BROKEN));
        if (!LockViews.hasMajority(holdfast.admin().nodes())) {
            names.addAll(namesBefore()); // the nodes can't confirm that these locks are gone
        } else if (!listed.hasQuorum()) {
            throw Problem.of(listed);
        }
        reading.has(names.size());
        List<LockRow> rows = rows(new ArrayList<>(names), reading::read);
        long took = timing.ticker().nanos() - reading.startNanos;
        return new Snapshot(rows, listed.names().size() < MOST_LOCKS, 0, reading.startNanos, took);
    }

    /** Returns whether this server can ask for the lock. Other programs may use names at the nodes that are not names of locks. */
    private boolean canBeAsked(String name) {
        try {
            holdfast.lock(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private synchronized List<String> namesBefore() {
        return snapshot == null
                ? List.of()
                : snapshot.rows().stream().map(LockRow::lock).toList();
    }

    /** Returns these locks as they are now, and asks for a limited number at a time. Blocks until the nodes have answered. */
    List<LockRow> rows(List<String> names) {
        return rows(names, row -> {});
    }

    private List<LockRow> rows(List<String> names, Consumer<LockRow> progress) {
        List<LockRow> rows = new ArrayList<>(names.size());
        Deque<CompletableFuture<LockStatus>> asked = new ArrayDeque<>();
        for (Iterator<String> left = names.iterator(); left.hasNext() || !asked.isEmpty(); ) {
            if (left.hasNext() && asked.size() < ASKED_AT_ONCE) {
                asked.add(holdfast.admin().statusAsync(left.next()));
            } else {
                LockRow row = LockRow.of(asked.remove().join(), owners, nodes::votes);
                rows.add(row);
                progress.accept(row);
            }
        }
        return rows;
    }
}
