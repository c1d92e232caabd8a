package dev.holdfast.testkit;

import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * How long this machine let a thread wait that wanted to run every 10 ms: what a time that processes on it are allowed is longer by, when others keep it busy.
 * Thread-safe.
 */
public final class Stalls implements AutoCloseable {

    private static final long EVERY_NANOS = Duration.ofMillis(10).toNanos();

    private final NavigableMap<Long, Long> lateNanos = new TreeMap<>(); // by when it ran; guarded by itself
    private final Thread thread = new Thread(this::watch, "stalls");

    /** Watches from now on. */
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

    /** What was lost in this time, all together, by {@link System#nanoTime}; waits until it has been seen what was lost at its end. */
    public Duration between(long fromNanos, long toNanos) throws InterruptedException {
        return Duration.ofNanos(within(fromNanos, toNanos).sum());
    }

    /** Returns the longest wait in this time; else as {@link #between}. */
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
