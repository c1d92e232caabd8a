package dev.holdfast.server.view;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockListing;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.server.lease.BreakNotices;
import dev.holdfast.server.lease.Owners;
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
 * All locks of a prefix as the nodes know them, whoever holds them, as of a moment ago. The nodes are asked only while somebody looks, and at most a fifth of the
 * time: the more locks there are, the older it may be. Thread-safe.
 */
final class LockSnapshots {

    /** How many locks it has at the most. */
    static final int MOST_LOCKS = 10_000;

    private static final int ASKED_AT_ONCE = 256;
    private static final long YOUNG_NANOS = 250_000_000L;
    private static final long QUICK_NANOS = 200_000_000L;
    private static final long OLDEST_NANOS = 10_000_000_000L;
    private static final int REST = 5;

    private final Holdfast holdfast;
    private final Timing timing;
    private final Owners owners;
    private final NodeWatch nodes;
    private final String prefix;
    private @Nullable Snapshot snapshot;
    private @Nullable CompletableFuture<Snapshot> running;

    /**
     * Nothing has been asked yet.
     *
     * @param prefix what the names of its locks begin with
     */
    LockSnapshots(Holdfast holdfast, Timing timing, Owners owners, NodeWatch nodes, String prefix) {
        this.nodes = nodes;
        this.holdfast = holdfast;
        this.timing = timing;
        this.owners = owners;
        this.prefix = prefix;
    }

    /**
     * One look at all locks.
     *
     * @param rows in the order of their names
     * @param complete whether there are no more than these
     * @param atNanos when the look began
     * @param tookNanos how long it took
     */
    record Snapshot(List<LockRow> rows, boolean complete, long atNanos, long tookNanos) {

        long ageMillis(Timing timing) {
            return (timing.ticker().nanos() - atNanos) / 1_000_000;
        }
    }

    /** The latest look, or a new one if that is too old. Blocks only where there is none that would do meanwhile. */
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
        names.remove(BreakNotices.LOCK);
        if (!LockViews.hasMajority(holdfast.admin().nodes())) {
            names.addAll(namesBefore()); // they are not gone because nobody can say how they are
        } else if (!listed.hasQuorum()) {
            throw new Problem(
                    Problem.Kind.NO_QUORUM,
                    "Only " + listed.answered() + " of " + listed.nodes() + " nodes have told their locks in time.");
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

    /** These locks, asked for now, so many at a time. Blocks for as long as that takes. */
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
