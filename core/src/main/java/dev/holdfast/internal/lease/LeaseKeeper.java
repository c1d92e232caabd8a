package dev.holdfast.internal.lease;

import dev.holdfast.internal.quorum.AttemptSettings;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.thread.ThreadLeases;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Refusal;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** All attempts and leases of one client, each in a {@link LocalQueue}. Thread-safe. */
public final class LeaseKeeper {

    private static final System.Logger LOG = System.getLogger(LeaseKeeper.class.getName());
    private static final long SUSPENSION_WATCH_NANOS = 1_000_000_000L;
    private static final long QUIET_NANOS = 10_000_000_000L;

    private final Quorum quorum;
    private final LongConsumer ttlUsed;
    private final AwakeWait forNodes;
    private final AwakeWait forLines;
    private final Map<Object, LocalQueue> queues = new ConcurrentHashMap<>();
    private final FirstBlocks firstBlocks;
    private final Object watchLock = new Object();
    private volatile @Nullable Timer watch;
    private volatile boolean closed;
    private @Nullable Moment complained;
    private long unmentioned;

    /**
     * Nothing is held yet.
     *
     * @param ttlUsed told of every ttl in milliseconds that votes are asked to last, before they are asked: quarantine follows the
     *     longest (PROTOCOL §5); may refuse it by an {@link IllegalArgumentException}
     */
    public LeaseKeeper(Quorum quorum, LongConsumer ttlUsed) {
        this(quorum, ttlUsed, AwakeWait.forNodes(), AwakeWait.forLines());
    }

    LeaseKeeper(Quorum quorum, LongConsumer ttlUsed, AwakeWait forNodes, AwakeWait forLines) {
        this.quorum = quorum;
        this.ttlUsed = ttlUsed;
        this.forNodes = forNodes;
        this.forLines = forLines;
        this.firstBlocks = new FirstBlocks(quorum.timing().ticker().nanos());
    }

    /** An attempt under way. */
    public interface Pending {

        /** The lease, or why there is none. Completes on a node's or a timer's thread. */
        CompletableFuture<Outcome> outcome();

        /** The same for a thread that blocks; if it is interrupted, the attempt goes on. */
        Outcome await() throws InterruptedException;

        /** Gives up; a lease that is made at the same moment is given back. */
        void cancel();
    }

    /** A lease, or why there is none: one of the two is there. */
    public record Outcome(@Nullable Lease lease, @Nullable Refusal refusal) {}

    /** Gets in line for a lease, or begins an attempt at once, unless this is closed: that is a refusal too. */
    public Pending acquire(AttemptSettings settings, LeaseSettings leaseSettings) {
        ttlUsed.accept(settings.ttlMillis());
        Waiter waiter = new Waiter(
                settings,
                leaseSettings,
                quorum.timing().now(),
                quorum.observer().attempt(settings.name(), settings.mode()));
        boolean shares = leaseSettings.handsOn()
                && leaseSettings.autoExtend() // else those to come would get a lease that is half used up
                && settings.mode() == LockMode.EX
                && settings.observer() == null; // who is shown the places at the nodes stands there
        if (shares) {
            enter(waiter);
        } else {
            enterAlone(waiter);
        }
        return waiter;
    }

    /** Whether the calling thread is known to hold this resource so that it would wait for itself if it asked for it in this mode. */
    public boolean isKeptOutByThisThread(String resource, LockMode mode) {
        return ThreadLeases.anyMatch(lease -> lease instanceof Hold hold && hold.keepsOut(quorum, resource, mode));
    }

    void enter(Waiter waiter) {
        LocalQueue queue = queues.get(waiter.settings.resource());
        if (queue == null) {
            LocalQueue made = new LocalQueue(this, quorum, waiter, true);
            LocalQueue other = queues.putIfAbsent(waiter.settings.resource(), made);
            queue = other == null ? made : other;
        }
        if (queue.suits(waiter)) {
            enter(queue, waiter);
        } else {
            enterAlone(waiter);
        }
    }

    /** Into a queue of its own, which nobody shares. */
    void enterAlone(Waiter waiter) {
        LocalQueue alone = new LocalQueue(this, quorum, waiter, false);
        queues.put(alone, alone);
        enter(alone, waiter);
    }

    /** Either closing finds the queue, or this finds that it is closed. */
    private void enter(LocalQueue queue, Waiter waiter) {
        if (closed) {
            queue.close();
        }
        queue.enter(waiter);
        if (closed) {
            queue.close();
        }
    }

    /** How to wait for the nodes; null to sleep at once, since the answers of several come one after the other. */
    @Nullable
    AwakeWait forNodes() {
        return quorum.size() == 1 ? forNodes : null;
    }

    /** How to wait in a line that moves quickly. */
    AwakeWait forLines() {
        return forLines;
    }

    FirstBlocks firstBlocks() {
        return firstBlocks;
    }

    void isOver(LocalQueue queue) {
        queues.remove(queue.key(), queue);
    }

    void ttlUsed(long ttlMillis) {
        ttlUsed.accept(ttlMillis);
    }

    /** All leases are late together; one message in ten seconds says so. */
    void ranLate(String name, long lateMillis) {
        long others;
        synchronized (watchLock) {
            Moment now = quorum.timing().now();
            if (complained != null && complained.nanosUntil(now) < QUIET_NANOS) {
                unmentioned++;
                return;
            }
            complained = now;
            others = unmentioned;
            unmentioned = 0;
        }
        LOG.log(
                Level.WARNING,
                "The renewal of {0} ran {1} ms late: this process was paused, or has too little CPU; {2} more since the last message",
                name,
                lateMillis,
                others);
    }

    /** Timers stand still while a machine is suspended; the wall clock tells, and leases look at once instead of at their next timer. */
    void watchForSuspension() {
        if (watch != null) {
            return;
        }
        synchronized (watchLock) {
            if (watch == null && !queues.isEmpty() && !closed) {
                Moment before = quorum.timing().now();
                watch = quorum.timing().scheduler().schedule(SUSPENSION_WATCH_NANOS, () -> lookForSuspension(before));
            }
        }
    }

    private void lookForSuspension(Moment before) {
        Moment now = quorum.timing().now();
        long monotonic = now.nanos() - before.nanos();
        if (before.nanosUntil(now) > monotonic + SUSPENSION_WATCH_NANOS / 2) {
            queues.values().forEach(LocalQueue::poke);
        }
        synchronized (watchLock) {
            watch = null;
        }
        watchForSuspension();
    }

    /** Ends attempts that wait and gives leases back; completes when the nodes have answered, or had time to. */
    public CompletableFuture<Void> close() {
        closed = true;
        CompletableFuture<?>[] ends =
                queues.values().stream().map(LocalQueue::close).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(ends).thenCompose(ended -> quorum.released());
    }
}
