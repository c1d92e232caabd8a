package dev.holdfast.testkit;

import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A measure of how long this machine delays a thread that wants to run every 10 ms. While other processes keep the
 * machine busy, tests allow its processes that much more time. Thread-safe.
 */
public final class Stalls implements AutoCloseable {

    private static final long EVERY_NANOS = Duration.ofMillis(10).toNanos();

    private final NavigableMap<Long, Long> lateNanos = new TreeMap<>(); // by the time at which it ran; its own guard
    private final Thread thread = new Thread(this::watch, "stalls");

    /** Starts to measure. */
    public Stalls() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long last = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(Duration.ofNanos(EVERY_NANOS).toMillis());
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            long late = now - last - EVERY_NANOS;
            last = now;
            synchronized (lateNanos) {
                lateNanos.put(now, Math.max(late, 0));
                lateNanos.notifyAll();
            }
        }
    }

    /**
     * Returns the sum of all delays in this period of {@link System#nanoTime}. Waits until the delay at its end is
     * known.
     */
    public Duration between(long fromNanos, long toNanos) throws InterruptedException {
        return Duration.ofNanos(within(fromNanos, toNanos).sum());
    }

    /** Returns the longest delay in this period of {@link System#nanoTime}. Waits as {@link #between} does. */
    public Duration longestBetween(long fromNanos, long toNanos) throws InterruptedException {
        return Duration.ofNanos(within(fromNanos, toNanos).max().orElse(0));
    }

    private LongStream within(long fromNanos, long toNanos) throws InterruptedException {
        synchronized (lateNanos) {
            while (thread.isAlive() && (lateNanos.isEmpty() || lateNanos.lastKey() < toNanos)) {
                lateNanos.wait(Duration.ofNanos(EVERY_NANOS).toMillis());
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

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
