package dev.holdfast.benchmarks.work;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** The number of threads of this process. */
final class Threads {

    private static final long EVERY_MILLIS = 50;

    private Threads() {}

    /** Returns the largest number seen in this time. */
    static long most(long millis) throws InterruptedException {
        long most = 0;
        for (long left = millis; left > 0; left -= EVERY_MILLIS) {
            most = Math.max(most, ManagementFactory.getThreadMXBean().getThreadCount());
            TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
        }
        return most;
    }
}
