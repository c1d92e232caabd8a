package dev.holdfast.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A measure of how long this machine delays a thread that wants to run every 10 ms. While other processes keep the
 * machine busy, tests allow its processes that much more time. Several threads measure, since a processor can be busy or
 * taken away while another one is free; the thread that was delayed most counts. Thread-safe.
 */
public final class Stalls implements AutoCloseable {

    private static final int WATCHES = 4;

    private final List<Watch> watches = new ArrayList<>();

    /** Starts to measure. */
    public Stalls() {
        for (int i = 0; i < WATCHES; i++) {
            watches.add(new Watch(i * Watch.EVERY_MILLIS / WATCHES));
        }
        watches.forEach(Watch::start);
    }

    /**
     * Returns the sum of all delays in this period of {@link System#nanoTime}. Waits until the delay at its end is
     * known.
     */
    public Duration between(long fromNanos, long toNanos) throws InterruptedException {
        long longest = 0;
        for (Watch watch : watches) {
            longest = Math.max(longest, watch.within(fromNanos, toNanos).sum());
        }
        return Duration.ofNanos(longest);
    }

    /** Returns the longest delay in this period of {@link System#nanoTime}. Waits as {@link #between} does. */
    public Duration longestBetween(long fromNanos, long toNanos) throws InterruptedException {
        long longest = 0;
        for (Watch watch : watches) {
            longest = Math.max(longest, watch.within(fromNanos, toNanos).max().orElse(0));
        }
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() throws InterruptedException {
        watches.forEach(watch -> watch.thread.interrupt());
        for (Watch watch : watches) {
            watch.thread.join();
        }
    }

    /** One thread and its delays. */
    private static final class Watch {

        private static final long EVERY_MILLIS = 10;
        private static final long EVERY_NANOS = Duration.ofMillis(EVERY_MILLIS).toNanos();

        private final NavigableMap<Long, Long> lateNanos =
                new TreeMap<>(); // by the time at which it ran; its own guard
        private final Thread thread;

        /** The threads begin at different times, so that they do not run one right after the other. */
        Watch(long beginsAfterMillis) {
            thread = new Thread(() -> watch(beginsAfterMillis), "stalls");
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        private void watch(long beginsAfterMillis) {
            try {
                Thread.sleep(beginsAfterMillis);
                long last = System.nanoTime();
                while (true) {
                    Thread.sleep(EVERY_MILLIS);
                    long now = System.nanoTime();
                    add(now, now - last - EVERY_NANOS);
                    last = now;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the end
            }
        }

        private void add(long now, long late) {
            synchronized (lateNanos) {
                lateNanos.put(now, Math.max(late, 0));
                lateNanos.notifyAll();
            }
        }

        LongStream within(long fromNanos, long toNanos) throws InterruptedException {
            synchronized (lateNanos) {
                while (thread.isAlive() && (lateNanos.isEmpty() || lateNanos.lastKey() < toNanos)) {
                    lateNanos.wait(EVERY_MILLIS);
                }
                Long last = lateNanos.ceilingKey(toNanos);
                NavigableMap<Long, Long> seen = lateNanos.tailMap(fromNanos, false);
                return LongStream.of((last == null || last <= fromNanos ? seen : seen.headMap(last, true))
                        .entrySet().stream()
                                .mapToLong(stall -> overlap(stall, fromNanos, toNanos))
                                .toArray());
            }
        }

        private static long overlap(Map.Entry<Long, Long> stall, long fromNanos, long toNanos) {
            long begin = Math.max(stall.getKey() - stall.getValue(), fromNanos);
            return Math.max(Math.min(stall.getKey(), toNanos) - begin, 0);
        }
    }
}
