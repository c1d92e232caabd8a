package dev.holdfast.time;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread for timers, nearly all of which are cancelled long before their time: thousands a second for requests, and one for each lease. This class
 * is thread-safe.
 *
 * <p>Setting a timer costs an allocation and a compare-and-set, and cancelling one costs a write. A new timer wakes the thread only if it is due
 * before the thread would wake anyway, or if thousands of new timers are in the inbox. A timer that is cancelled by then never gets into the heap.
 */
final class TimerThread {

    /** The longest delay, 73 years. With longer ones, differences of due times could overflow. */
    private static final long LONGEST_NANOS = 1L << 61;

    /** The number of new timers that wakes the thread, so that cancelled timers do not pile up. */
    private static final int MOST_UNSEEN = 4096;

    /** The number of timers in the heap below which it is not worth searching it for cancelled ones. */
    private static final int FEW = 1024;

    private static final Entry CLOSED = new Entry(() -> {}, 0);

    private final ThreadFactory threads;
    private final AtomicReference<@Nullable Entry> inbox = new AtomicReference<>();
    private volatile @Nullable Thread thread;

    /**
     * The time until which the thread sleeps; a timer due before it must wake the thread. While the thread is awake, this time is in the past, since
     * the thread checks the inbox before it sleeps.
     */
    private volatile long sleepsUntil;

    // only the thread itself uses these fields
    private final PriorityQueue<Entry> heap = new PriorityQueue<>();
    private long taken;
    private int liveAtLast;

    TimerThread(ThreadFactory threads) {
        this.threads = threads;
        this.sleepsUntil = System.nanoTime();
    }

    /** A timer, ordered by due time, then by arrival. Cancelling it drops the task. */
    private static final class Entry extends AtomicReference<@Nullable Runnable> implements Timer, Comparable<Entry> {

        private static final long serialVersionUID = 1;

        private final long dueNanos;
        private int unseen; // how many entries the inbox has, including this one
        private transient @Nullable Entry before;
        private long place;

        Entry(Runnable task, long dueNanos) {
            super(task);
            this.dueNanos = dueNanos;
        }

        @Override
        public void cancel() {
            set(null);
        }

        @Override
        public int compareTo(Entry other) {
            long sooner = dueNanos - other.dueNanos;
            return sooner != 0 ? Long.signum(sooner) : Long.compare(place, other.place);
        }
    }

    /** Runs the task on the thread no earlier than {@code delayNanos} from now, by the monotonic clock; never after {@link #close}. */
    Timer schedule(long delayNanos, Runnable task) {
        Entry entry = new Entry(task, System.nanoTime() + Math.min(Math.max(delayNanos, 0), LONGEST_NANOS));
        Entry last;
        do {
            last = inbox.get();
            if (last == CLOSED) {
                entry.cancel();
                return entry;
            }
            entry.before = last;
            entry.unseen = last == null ? 1 : last.unseen + 1;
        } while (!inbox.compareAndSet(last, entry));
        if (entry.dueNanos - sleepsUntil < 0 || entry.unseen % MOST_UNSEEN == 0) {
            LockSupport.unpark(thread);
        }
        if (thread == null) {
            start();
        }
        return entry;
    }

    private synchronized void start() {
        if (thread == null && inbox.get() != CLOSED) {
            Thread started = threads.newThread(this::run);
            thread = started;
            started.start();
        }
    }

    /** Drops all timers. A task that is running goes on. */
    void close() {
        inbox.set(CLOSED);
        LockSupport.unpark(thread);
    }

    private void run() {
        while (inbox.get() != CLOSED) {
            sleepsUntil = System.nanoTime();
            takeNew();
            runDue();
            Entry first = heap.peek();
            long now = System.nanoTime();
            long wait = first == null ? 2 * LONGEST_NANOS : first.dueNanos - now;
            if (wait > 0) {
                sleepsUntil = now + wait;
                if (inbox.get() == null) { // otherwise a timer has arrived whose caller did not see sleepsUntil
                    LockSupport.parkNanos(this, wait);
                    Thread.interrupted(); // a pending interrupt would keep the thread from sleeping
                }
            }
        }
        heap.clear();
    }

    private void takeNew() {
        Deque<Entry> oldestFirst = new ArrayDeque<>();
        for (Entry entry = takeAll(); entry != null; entry = takeBefore(entry)) {
            if (entry.get() != null) {
                oldestFirst.push(entry);
            }
        }
        for (Entry entry : oldestFirst) {
            entry.place = taken++;
            heap.add(entry);
        }
        if (heap.size() > 2 * liveAtLast + FEW) {
            heap.removeIf(entry -> entry.get() == null);
            liveAtLast = heap.size();
        }
    }

    private @Nullable Entry takeAll() {
        Entry last;
        do {
            last = inbox.get();
        } while (last != null && last != CLOSED && !inbox.compareAndSet(last, null));
        return last == CLOSED ? null : last;
    }

    /**
     * Returns the entry before this one and removes the link to it, so that a caller that keeps one timer does not keep all earlier ones in memory.
     */
    private static @Nullable Entry takeBefore(Entry entry) {
        Entry before = entry.before;
        entry.before = null;
        return before;
    }

    private void runDue() {
        long now = System.nanoTime();
        for (Entry first = heap.peek();
                first != null && first.dueNanos - now <= 0 && inbox.get() != CLOSED;
                first = heap.peek()) {
            heap.remove();
            Runnable task = first.getAndSet(null);
            if (task != null) {
                SystemScheduler.run(task);
            }
        }
        liveAtLast = Math.min(liveAtLast, heap.size());
    }
}
