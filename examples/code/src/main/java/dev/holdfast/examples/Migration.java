package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.ThreadLock;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/** What the calls of other libraries become; docs/guides/migrating.md shows the lines between the marks. */
public final class Migration {

    private Migration() {}

    /** For {@code RLock.lock} and {@code unlock}. */
    public static void lockAndUnlock(Holdfast holdfast, LongConsumer work) throws InterruptedException {
        // recipe:begin
        DistributedLock lock = holdfast.lock("orders:42");
        try (Lease lease = lock.acquire()) { // waits without a limit, as lock() does; acquire(wait) is better
            work.accept(lease.fencingToken());
        } // never throws, whatever has become of the lease
        // recipe:end
    }

    /** For {@code RLock.tryLock(wait, lease, unit)}: with a lease time there, nothing extends the lock. */
    public static boolean tryLockWithLeaseTime(Holdfast holdfast, LongConsumer work) throws InterruptedException {
        // recipe:begin
        DistributedLock lock = holdfast.lock("orders:42").maxHold(Duration.ofSeconds(10)); // the lease time
        try (Acquisition acquisition = lock.tryAcquire(Duration.ofSeconds(3))) { // the wait
            if (acquisition.isHeld()) {
                work.accept(acquisition.lease().fencingToken());
            }
            return acquisition.isHeld();
        }
        // recipe:end
    }

    /** For code that takes a {@code Lock}, reentrant as Redisson's, Spring Integration's and redlock4j's. */
    public static void asLock(Holdfast holdfast, LongConsumer work) {
        // recipe:begin
        ThreadLock lock = holdfast.lock("orders:42").asReentrantLock();
        lock.lock();
        try {
            work.accept(lock.lease().orElseThrow().fencingToken());
        } finally {
            lock.unlock(); // throws a LeaseLostException if the lease was lost meanwhile
        }
        // recipe:end
    }

    /** Beside clients that follow the algorithm of the Redis documentation: the same servers, and the same keys. */
    public static Holdfast besideRedlock(List<String> nodes, String theirPrefix) {
        // recipe:begin
        Holdfast holdfast = Holdfast.builder()
                .nodes(nodes) // exactly the nodes that the others use
                .keyPrefix(theirPrefix) // "redlock:" for RedLock.net and Pottery, "" for most others
                .localHandOver(false) // the others do not queue, so this client would not know that they wait
                .connect();
        // recipe:end
        return holdfast;
    }

    /** For {@code redlock.using(resources, ttl, signal => ...)} of node-redlock, and the like. */
    public static void runWithSignal(Holdfast holdfast, List<Runnable> steps) throws InterruptedException {
        // recipe:begin
        DistributedLock lock = holdfast.lock("orders:42").ttl(Duration.ofSeconds(5));
        lock.run(Duration.ofSeconds(10), lease -> {
            for (Runnable step : steps) {
                lease.ensureHeld(); // as signal.aborted; this thread is interrupted as well
                step.run();
            }
        });
        // recipe:end
    }

    /** For {@code SET name value NX PX 30000} and a script that deletes. */
    public static boolean inPlaceOfSetNx(Holdfast holdfast, LongConsumer work) throws InterruptedException {
        // recipe:begin
        DistributedLock lock = holdfast.lock("orders:42").ttl(Duration.ofSeconds(30));
        try (Acquisition now = lock.tryAcquire()) {
            if (now.isHeld()) {
                work.accept(now.lease().fencingToken());
            }
            return now.isHeld();
        }
        // recipe:end
    }
}
