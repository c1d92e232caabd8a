package dev.holdfast.redis.live;

import java.time.Duration;
import java.util.TreeMap;

/**
 * How long this machine let a thread wait that wanted to run every 10 ms: what a time that processes on it are allowed is longer by, when others keep it busy.
 */
final class Stalls implements AutoCloseable {

    private static final long EVERY_NANOS = Duration.ofMillis(10).toNanos();

    private final TreeMap<Long, Long> lateNanos = new TreeMap<>(); // by when it ran
    private final Thread thread = new Thread(this::watch, "stalls");

    Stalls() {
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
            }
        }
    }

    /** What was lost in this time, all together. */
    Duration between(long fromNanos, long toNanos) {
        synchronized (lateNanos) {
            return Duration.ofNanos(lateNanos.subMap(fromNanos, toNanos).values().stream()
                    .mapToLong(Long::longValue)
                    .sum());
        }
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
