package dev.holdfast.spring.actuate;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A record of this application's held leases, waiting attempts and lost leases. Thread-safe. */
public final class LockBook implements ClientObserver {

    /** The number of lost leases that are kept. */
    static final int LOSSES = 100;

    private final Ticker ticker;
    private final Set<Entry> open = ConcurrentHashMap.newKeySet();
    private final Deque<LostLease> lost = new ArrayDeque<>();
    private long lostCount;

    public LockBook(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * A lease that is held.
     *
     * @param thread the thread that acquired it
     * @param heldMillis the time since it was acquired
     * @param remainingMillis how long it remains valid unless extended
     */
    public record HeldLease(
            String lock, LockMode mode, long token, String thread, long heldMillis, long remainingMillis) {}

    /**
     * An attempt that is in progress.
     *
     * @param thread the thread that made it
     * @param waitedMillis the time since it began
     */
    public record WaitingAttempt(String lock, LockMode mode, String thread, long waitedMillis) {}

    /**
     * A lease that was lost.
     *
     * @param at the time of the loss by this machine's clock
     * @param detail more about the reason, as text
     */
    public record LostLease(Instant at, String lock, LockMode mode, long token, Loss.Reason reason, String detail) {}

    @Override
    public LeaseObserver attempt(String lock, LockMode mode) {
        return opened(lock, mode, false);
    }

    /** Records the leadership. A candidate that stands by is not a waiting attempt. */
    @Override
    public LeaseObserver candidacy(String lock, LockMode mode) {
        return opened(lock, mode, true);
    }

    private LeaseObserver opened(String lock, LockMode mode, boolean isCandidate) {
        Entry entry = new Entry(lock, mode, isCandidate, Thread.currentThread().getName(), ticker.now());
        open.add(entry);
        return entry;
    }

    @Override
    public void lost(Loss loss, LockMode mode, long token) {
        LostLease next = new LostLease(
                Instant.ofEpochMilli(ticker.wallMillis()), loss.lock(), mode, token, loss.reason(), loss.detail());
        synchronized (lost) {
            lostCount++;
            lost.addFirst(next);
            if (lost.size() > LOSSES) {
                lost.removeLast();
            }
        }
    }

    /** Returns the held leases, the longest held first. */
    public List<HeldLease> held() {
        Moment now = ticker.now();
        return open.stream()
                .flatMap(entry -> entry.held(now).stream())
                .sorted(Comparator.comparingLong(HeldLease::heldMillis).reversed())
                .toList();
    }

    /** Returns the attempts in progress, the longest waiting first. */
    public List<WaitingAttempt> waiting() {
        Moment now = ticker.now();
        return open.stream()
                .flatMap(entry -> entry.waiting(now).stream())
                .sorted(Comparator.comparingLong(WaitingAttempt::waitedMillis).reversed())
                .toList();
    }

    /** Returns the last {@value #LOSSES} lost leases, the latest first. */
    public List<LostLease> lost() {
        synchronized (lost) {
            return new ArrayList<>(lost);
        }
    }

    /** Returns the number of leases lost since the start. */
    public long lostCount() {
        synchronized (lost) {
            return lostCount;
        }
    }

    /** An attempt and its lease. */
    private final class Entry implements LeaseObserver {

        private final String lock;
        private final LockMode mode;
        private final boolean isCandidate;
        private final String thread;
        private final Moment asked;
        private volatile @Nullable Granted granted;

        Entry(String lock, LockMode mode, boolean isCandidate, String thread, Moment asked) {
            this.isCandidate = isCandidate;
            this.lock = lock;
            this.mode = mode;
            this.thread = thread;
            this.asked = asked;
        }

        List<HeldLease> held(Moment now) {
            Granted has = granted;
            return has == null
                    ? List.of()
                    : List.of(new HeldLease(
                            lock,
                            mode,
                            has.lease.fencingToken(),
                            thread,
                            millis(has.since, now),
                            has.lease.remaining().toMillis()));
        }

        List<WaitingAttempt> waiting(Moment now) {
            return granted != null || isCandidate
                    ? List.of()
                    : List.of(new WaitingAttempt(lock, mode, thread, millis(asked, now)));
        }

        private static long millis(Moment from, Moment to) {
            return Duration.ofNanos(from.nanosUntil(to)).toMillis();
        }

        @Override
        public void granted(Lease lease, Duration waited) {
            granted = new Granted(lease, ticker.now());
        }

        @Override
        public void refused(Refusal refusal) {
            open.remove(this);
        }

        @Override
        public void ended(LeaseEnd end) {
            open.remove(this);
        }
    }

    private record Granted(Lease lease, Moment since) {}
}
