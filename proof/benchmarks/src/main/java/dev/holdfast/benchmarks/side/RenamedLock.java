package dev.holdfast.benchmarks.side;

import java.io.UncheckedIOException;
import java.util.function.Function;

/**
 * A lock of one thread that changes its name when an answer is lost, since the client can't know whether it holds the
 * lock under the first name. The JDK's HTTP client sometimes loses an answer when it takes a connection out of its pool
 * (JDK-8338569). One object must serve all turns; otherwise the next turn would wait for the lock under the first name.
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

    /** Changes the name. Very many changes are no accident, and fail. */
    private void rename(UncheckedIOException cause) {
        if (++lost > MOST_LOST) {
            throw cause;
        }
        lock = locks.apply(name + "-" + lost);
        System.err.println(name + " lost an answer, and changes its name: " + cause.getMessage());
    }
}
