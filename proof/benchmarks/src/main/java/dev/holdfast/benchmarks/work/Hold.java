package dev.holdfast.benchmarks.work;

import java.util.concurrent.locks.LockSupport;

/** The work under a held lock: a sleep. */
final class Hold {

    private Hold() {}

    /** Sleeps for at least this long; returns at once if it is 0. */
    static void asleep(long nanos) {
        if (nanos == 0) {
            return;
        }
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
