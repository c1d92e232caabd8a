package dev.holdfast.junit;

import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Ticker;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The clock of nodes in memory and of their clients. The clock runs like the machine's, and a test can advance it. Thread-safe.
 *
 * <p>After an advance, leases expire, waits time out and node state expires as if the time had passed, but the test does not wait for it.
 */
public final class TestClock {

    private static final long LONGEST_STEP_NANOS = 1_000_000_000L;

    private final Timing machine = Timing.system("holdfast-test");
    private final AtomicLong ahead = new AtomicLong();
    private final AtomicLong made = new AtomicLong();
    private final NavigableSet<Alarm> alarms = new ConcurrentSkipListSet<>(
            Comparator.comparingLong((Alarm alarm) -> alarm.dueNanos).thenComparingLong(alarm -> alarm.number));
    private final Object monitor = new Object();
    private int running;
    private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);
    private final Timing timing = new Timing(new AheadTicker(), new AheadScheduler(), machine.random());

    TestClock() {}

    /** Returns the timing that nodes and clients use. */
    Timing timing() {
        return timing;
    }

    /**
     * Advances time at once. Everything that is due in the meantime happens in order, so leases that are extended stay held. Returns when all of it
     * has happened, except what still runs in the test's own code.
     *
     * @param length the time to advance by, 0 or more
     */
    public void advance(Duration length) {
        requireNotNegative(length);
        long target = ahead.get() + length.toNanos();
        settle();
        while (true) {
            long left = target - ahead.get();
            Alarm next = first();
            long until = next == null
                    ? left
                    : Math.max(next.dueNanos - timing.ticker().nanos(), 0);
            if (next == null || until >= left) {
                ahead.addAndGet(Math.max(left, 0));
                ringAll();
                return;
            }
            ahead.addAndGet(until);
            ringAll();
        }
    }

    /**
     * Suspends the machine for this long, as when a process is stopped or collects garbage: everything that was due in the meantime happens late.
     * Leases that expired in the meantime are lost.
     *
     * @param length the length of the pause, 0 or more
     */
    public void suspend(Duration length) {
        requireNotNegative(length);
        ahead.addAndGet(length.toNanos());
        ringAll();
    }

    private static void requireNotNegative(Duration length) {
        if (length.isNegative()) {
            throw new IllegalArgumentException("length is " + length + ", but must be 0 or more");
        }
    }

    private void ringAll() {
        long now = timing.ticker().nanos();
        for (Alarm alarm = first(); alarm != null && alarm.dueNanos - now <= 0; alarm = first()) {
            alarm.ring();
        }
        settle();
    }

    private @Nullable Alarm first() {
        Iterator<Alarm> all = alarms.iterator();
        return all.hasNext() ? all.next() : null;
    }

    /** Waits until no worker is busy, but at most one second: a worker may run the test's own code, which may wait for the test. */
    private void settle() {
        CompletableFuture<Void> quiet;
        synchronized (monitor) {
            quiet = idle;
        }
        try {
            quiet.get(LONGEST_STEP_NANOS, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // The test's own code may still run.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    void close() {
        machine.scheduler().close();
    }

    private final class AheadTicker implements Ticker {

        @Override
        public long nanos() {
            return machine.ticker().nanos() + ahead.get();
        }

        @Override
        public long wallMillis() {
            return machine.ticker().wallMillis() + ahead.get() / 1_000_000;
        }
    }

    /** A timer that fires when either the machine's time or the test's time reaches it. */
    private final class Alarm implements Timer {

        final long dueNanos;
        final long number = made.incrementAndGet();
        private final Runnable task;

        Alarm(long dueNanos, Runnable task) {
            this.dueNanos = dueNanos;
            this.task = task;
        }

        void ring() {
            if (alarms.remove(this)) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            alarms.remove(this);
        }
    }

    private final class AheadScheduler implements Scheduler {

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            Alarm alarm = new Alarm(timing.ticker().nanos() + Math.max(delayNanos, 0), task);
            alarms.add(alarm);
            Timer real = machine.scheduler().schedule(delayNanos, alarm::ring);
            return () -> {
                alarm.cancel();
                real.cancel();
            };
        }

        @Override
        public void execute(Runnable task) {
            synchronized (monitor) {
                if (running++ == 0) {
                    idle = new CompletableFuture<>();
                }
            }
            machine.scheduler().execute(() -> {
                try {
                    task.run();
                } finally {
                    ended();
                }
            });
        }

        private void ended() {
            CompletableFuture<Void> quiet = null;
            synchronized (monitor) {
                if (--running == 0) {
                    quiet = idle;
                }
            }
            if (quiet != null) {
                quiet.complete(null);
            }
        }

        @Override
        public void start(String name, Runnable task) {
            machine.scheduler().start(name, task);
        }

        @Override
        public void close() {
            alarms.clear();
        }
    }
}
