package dev.holdfast.benchmarks.side;

import java.io.UncheckedIOException;
import java.util.function.Function;

/**
 * A lock of one thread's own that goes on under another name when an answer was lost: then nobody knows whether the lock is held under the first. The
 * JDK's HTTP client loses one now and then, when it takes a connection out of its pool (JDK-8338569). To be kept for all turns, or the next would wait for the
 * lock of the first name.
 */
final class RenamedLock implements NamedLock {

    private static final int MOST_LOST = 10;

    private final String name;
    private final Function<String, NamedLock> locks;
    private NamedLock lock;
    private int lost;

    RenamedLock(String name, Function<String, NamedLock> locks) {
        this.name = name;
        this.locks = locks;
        lock = locks.apply(name);
    }

    @Override
    public Held acquire() throws InterruptedException {
        while (true) {
            try {
                Held held = lock.acquire();
                return () -> release(held);
            } catch (UncheckedIOException e) {
                rename(e);
            }
        }
    }

    private void release(Held held) {
        try {
            held.release();
        } catch (UncheckedIOException e) {
            rename(e);
        }
    }

    /** Very many are no accident. */
    private void rename(UncheckedIOException cause) {
        if (++lost > MOST_LOST) {
            throw cause;
        }
        lock = locks.apply(name + "-" + lost);
        System.err.println(name + " lost an answer, and goes on under another name: " + cause.getMessage());
    }
}
