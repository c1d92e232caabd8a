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
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    private final Holdfast holdfast;
    private final Timing timing;
    private final Owners owners;
    private final NodeWatch nodes;
    private final RecentHistory history;
    private final String prefix;
    private @Nullable Snapshot snapshot;
    private @Nullable CompletableFuture<Snapshot> running;

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
     * A snapshot of all locks.
     *
     * @param rows the locks in the order of their names
     * @param complete whether there are no further locks
     * @param atNanos when the snapshot began, by the ticker
     * @param tookNanos how long the snapshot took, in ns
     */
    record Snapshot(List<LockRow> rows, boolean complete, long atNanos, long tookNanos) {

        long ageMillis(Timing timing) {
            return (timing.ticker().nanos() - atNanos) / 1_000_000;
        }
    }

    /**
     * Returns the latest snapshot, or a new one if that is too old. Blocks only if the latest one is also too old to return while the new one is
     * taken.
     */
    Snapshot recent() {
        CompletableFuture<Snapshot> awaited;
        synchronized (this) {
            Snapshot last = snapshot;
            long age = last == null ? 0 : timing.ticker().nanos() - last.atNanos();
            if (last != null && age < Math.max(YOUNG_NANOS, REST * last.tookNanos())) {
                return last;
            }
            awaited = running == null ? start() : running;
            boolean slow = last != null && last.tookNanos() >= QUICK_NANOS;
            if (last != null && slow && age < OLDEST_NANOS + 2 * REST * last.tookNanos()) {
                return last;
            }
        }
        try {
            return awaited.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private CompletableFuture<Snapshot> start() {
        CompletableFuture<Snapshot> started = new CompletableFuture<>();
        running = started;
        timing.scheduler().execute(() -> {
            try {
                Snapshot taken = take();
                over(taken);
                started.complete(taken);
            } catch (InterruptedException | RuntimeException e) {
                over(null);
                started.completeExceptionally(e);
            }
        });
        return started;
    }

    private synchronized void over(@Nullable Snapshot taken) {
        running = null;
        snapshot = taken == null ? snapshot : taken;
    }

    private Snapshot take() throws InterruptedException {
        long start = timing.ticker().nanos();
        LockListing listed = holdfast.admin().list(prefix, MOST_LOCKS);
        TreeSet<String> names = new TreeSet<>(listed.names());
        names.removeIf(ServersLocks::contain);
        names.addAll(history.broken(lock -> lock.startsWith(prefix), MOST_BROKEN));
        if (!LockViews.hasMajority(holdfast.admin().nodes())) {
            names.addAll(namesBefore()); // the nodes can't confirm that these locks are gone
        } else if (!listed.hasQuorum()) {
            throw new Problem(
                    Problem.Kind.NO_QUORUM,
                    "Only " + listed.answered() + " of " + listed.nodes() + " nodes listed their locks in time.");
        }
        List<LockRow> rows = rows(new ArrayList<>(names));
        return new Snapshot(
                rows, listed.names().size() < MOST_LOCKS, start, timing.ticker().nanos() - start);
    }

    private synchronized List<String> namesBefore() {
        return snapshot == null
                ? List.of()
                : snapshot.rows().stream().map(LockRow::lock).toList();
    }

    /** Returns these locks as they are now, and asks for a limited number at a time. Blocks until the nodes have answered. */
    List<LockRow> rows(List<String> names) {
        List<LockRow> rows = new ArrayList<>(names.size());
        Deque<CompletableFuture<LockStatus>> asked = new ArrayDeque<>();
        for (String name : names) {
            if (asked.size() == ASKED_AT_ONCE) {
                rows.add(LockRow.of(asked.remove().join(), owners, nodes::votes));
            }
            asked.add(holdfast.admin().statusAsync(name));
        }
        asked.forEach(status -> rows.add(LockRow.of(status.join(), owners, nodes::votes)));
        return rows;
    }
}
