package dev.holdfast.server.lease;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The latest breaks of leases, for all servers in front of the same nodes. The notices are the value of a lock that no client can use. A server that breaks a
 * lease appends a notice, and each server reads the notices four times a second. Thread-safe.
 *
 * <p>The value has room for a few notices. A notice stays until every server has had the time to read it, so that a script can break many leases. Further notices
 * wait for that.
 *
 * <p>A notice only informs. The nodes have already executed the break, and a holder that misses the notice learns of it at its next extension.
 */
public final class BreakNotices implements AutoCloseable {

    private static final System.Logger LOG = ServerLogger.get();

    private static final long PERIOD_NANOS = 250_000_000L;
    private static final int MOST_KNOWN = 1_000;

    /** How long a notice stays in the value at least: the period of the servers, and as much again for a slow reading. */
    private static final long STAY_NANOS = 2 * PERIOD_NANOS;

    private static final long ROOM_NANOS = 100_000_000L;
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final SharedValue value;
    private final Timing timing;
    private final Consumer<BreakNotice> listener;
    private final long madeAtMillis;

    /** The latest notices that the listener has received, or that are older than this server, and when this server first saw each in the value. */
    private final Map<BreakNotice, Long> known = new LinkedHashMap<>();

    /** Guards the listener, so that a reading completes after the listener has received what another reading found. */
    private final Object learning = new Object();

    private final Deque<Unwritten> unwritten = new ArrayDeque<>();
    private boolean writing;
    private boolean looked;
    private boolean closed;

    /** A notice of this server that the other servers can't read yet. */
    private record Unwritten(BreakNotice notice, long sinceNanos, CompletableFuture<Void> over) {}

    /**
     * Creates an instance that has read no notices yet.
     *
     * @param listener receives each notice once, on a worker, including those of its own server
     */
    public BreakNotices(Holdfast holdfast, Timing timing, Consumer<BreakNotice> listener) {
        this.value = new SharedValue(holdfast, timing, ServersLocks.BREAKS, this::learn);
        this.timing = timing;
        this.listener = listener;
        this.madeAtMillis = timing.ticker().wallMillis();
    }

    /** Starts to read the notices, at once and then four times a second. */
    public void start() {
        value.read();
    }

    private void learn(Optional<LockStatus> status) {
        try {
            status.ifPresent(this::learn);
        } finally {
            value.readAfter(PERIOD_NANOS);
        }
    }

    private void learn(LockStatus status) {
        synchronized (learning) {
            fresh(BreakNotice.parse(status.value().orElse(""))).forEach(listener);
        }
    }

    /** Reads the notices once more. Completes once the listener has received the new ones, or no majority of nodes has answered. */
    public CompletionStage<Void> read() {
        return value.readOnce().thenAccept(status -> status.ifPresent(this::learn));
    }

    /** Returns the notices that are new to this server. The notices of the first reading are older than this server, unless their time says otherwise. */
    private synchronized List<BreakNotice> fresh(List<BreakNotice> read) {
        List<BreakNotice> fresh = new ArrayList<>();
        for (BreakNotice notice : read) {
            if (remember(notice) && (looked || notice.atMillis() >= madeAtMillis)) {
                fresh.add(notice);
            }
        }
        looked = true;
        return fresh;
    }

    private synchronized boolean remember(BreakNotice notice) {
        boolean isNew = known.putIfAbsent(notice, timing.ticker().nanos()) == null;
        if (known.size() > MOST_KNOWN) {
            known.remove(known.keySet().iterator().next());
        }
        return isNew;
    }

    /**
     * Notifies this server at once, and then the others. Completes once all servers can read the notice, or the attempt has failed, which is logged.
     */
    public CompletionStage<Void> publish(String lock, long token, String operator, String reason) {
        BreakNotice whole =
                new BreakNotice(lock, token, operator, reason, timing.ticker().wallMillis());
        BreakNotice notice = whole.shortened();
        CompletableFuture<Void> over = new CompletableFuture<>();
        if (!BreakNotice.fit(List.of(notice))) {
            listener.accept(whole);
            warn(notice, "the name of the lock is too long for a notice");
            over.complete(null);
            return over;
        }
        remember(notice);
        listener.accept(notice);
        synchronized (this) {
            unwritten.add(new Unwritten(notice, timing.ticker().nanos(), over));
            if (writing) {
                return over;
            }
            writing = true;
        }
        write();
        return over;
    }

    /** Writes as many notices as there is room for, and the rest later. */
    private void write() {
        List<Unwritten> batch = new ArrayList<>();
        value.change(LONGEST_WAIT, present -> withMore(BreakNotice.parse(present), batch))
                .whenComplete((written, failure) -> {
                    List<Unwritten> done = written != null && written.isPresent() ? batch : List.of();
                    List<Unwritten> failed = next(done);
                    failed.forEach(one -> warn(one.notice(), "the nodes have not kept the notice in time"));
                    Stream.concat(done.stream(), failed.stream())
                            .forEach(one -> one.over().complete(null));
                });
    }

    /** Returns the value with the present notices that must stay, as many new ones as fit, which are added to the batch, and older ones in the rest of the room. */
    private synchronized Optional<String> withMore(List<BreakNotice> present, List<Unwritten> batch) {
        long now = timing.ticker().nanos();
        List<BreakNotice> wanted = new ArrayList<>(present);
        wanted.removeIf(notice -> now - known.getOrDefault(notice, now) >= STAY_NANOS);
        int stay = wanted.size();
        for (Unwritten one : unwritten) {
            wanted.add(one.notice());
            if (!BreakNotice.fit(wanted)) {
                wanted.remove(wanted.size() - 1);
                break;
            }
            batch.add(one);
            known.put(one.notice(), now);
        }
        if (wanted.size() == stay) {
            return Optional.empty();
        }
        for (int i = present.size() - 1; i >= 0; i--) {
            if (!wanted.contains(present.get(i))) {
                wanted.add(0, present.get(i));
                if (!BreakNotice.fit(wanted)) {
                    wanted.remove(0);
                    break;
                }
            }
        }
        return Optional.of(BreakNotice.value(wanted));
    }

    /** Goes on after these notices were written. Returns those that have waited for too long. */
    private synchronized List<Unwritten> next(List<Unwritten> written) {
        unwritten.removeAll(written);
        List<Unwritten> failed = new ArrayList<>();
        long now = timing.ticker().nanos();
        unwritten.removeIf(one -> (closed || now - one.sinceNanos() > PATIENCE_NANOS) && failed.add(one));
        writing = !unwritten.isEmpty();
        if (writing) {
            timing.scheduler().schedule(ROOM_NANOS, this::write);
        }
        return failed;
    }

    /**
     * Notifies the servers in front of these nodes of a break that no server has executed. Does nothing if there is no such server. Blocks for some round trips.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile; then the servers may miss the notice
     */
    public static void publish(Holdfast holdfast, String lock, long token, String reason) throws InterruptedException {
        LockStatus keys = holdfast.admin().status(ServersLocks.KEYS);
        boolean haveServers = keys.value().isPresent()
                || keys.nodes().stream().anyMatch(node -> node.node().startsWith("holdfast"));
        if (haveServers) {
            String client = holdfast.client();
            String operator = client.substring(0, client.indexOf('~'));
            BreakNotice notice = new BreakNotice(
                            lock, token, operator, reason, Ticker.system().wallMillis())
                    .shortened();
            boolean written = BreakNotice.fit(List.of(notice))
                    && SharedValue.change(
                                    holdfast, ServersLocks.BREAKS, LONGEST_WAIT, present -> withLatest(present, notice))
                            .toCompletableFuture()
                            .join()
                            .isPresent();
            if (!written) {
                warn(notice, "no majority of nodes keeps the notice");
            }
        }
    }

    private static Optional<String> withLatest(String present, BreakNotice notice) {
        List<BreakNotice> notices = new ArrayList<>(BreakNotice.parse(present));
        notices.add(notice);
        while (!BreakNotice.fit(notices)) {
            notices.remove(0);
        }
        return Optional.of(BreakNotice.value(notices));
    }

    private static void warn(BreakNotice notice, String why) {
        LOG.log(Level.WARNING, "Other servers may not learn of the break of ''{0}'': {1}", notice.lock(), why);
    }

    @Override
    public synchronized void close() {
        closed = true;
        value.close();
    }
}
