package dev.holdfast.benchmarks.work;

import java.util.concurrent.locks.LockSupport;

/** What is done while a lock is held: nothing, for a while. */
final class Hold {

    private Hold() {}

    /** Returns after this time, not before; at once if it is 0. */
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
