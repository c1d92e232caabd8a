package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.LockClient;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One client that acquires many locks and keeps them. It reports how much memory each lock takes, without garbage, and
 * how many threads the process has with one lock. Parameters: leases.
 */
final class ManyLeases implements Work {

    private static final int AT_ONCE = 500;
    private static final int COLLECTIONS = 3;
    private static final long AT_REST_MILLIS = 1_000;

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        LockClient client = clients.first();
        acquire(client, "first-", clients.keep(new Object[1]));
        long threads = Threads.most(AT_REST_MILLIS);
        int leases = order.count("leases");
        acquire(client, "early-", clients.keep(new Object[leases / 10])); // lets pools and buffers grow
        Object[] held = clients.keep(new Object[leases]);
        long before = usedBytes();
        long start = System.nanoTime();
        acquire(client, "lease-", held);
        double seconds = (System.nanoTime() - start) / 1e9;
        long after = usedBytes();
        return Answer.of("leaseBytes", (after - before) / (double) leases)
                .with("threadsOne", threads)
                .with("tookSeconds", seconds);
    }

    /** Acquires a lock for each element of the array. */
    private static void acquire(LockClient client, String prefix, Object[] places) throws InterruptedException {
        Semaphore underWay = new Semaphore(AT_ONCE);
        for (int i = 0; i < places.length; i++) {
            int place = i;
            underWay.acquire();
            client.asyncLock(prefix + i).acquire(held -> {
                places[place] = held;
                underWay.release();
            });
        }
        underWay.acquire(AT_ONCE);
    }

    private static long usedBytes() throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
