package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.ThreadLock;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/** The Holdfast equivalents of calls to other libraries; docs/guides/migrating.md shows the lines between the marks. */
public final class Migration {

    private Migration() {}

    /** Replaces {@code RLock.lock} and {@code unlock}. */
    public static void lockAndUnlock(Holdfast holdfast, LongConsumer work) throws InterruptedException {
        // recipe:begin
        DistributedLock lock = holdfast.lock("orders:42");
        try (Lease lease = lock.acquire()) { // waits without a limit, as lock() does; acquire(wait) is better
            work.accept(lease.fencingToken());
        } // never throws, even if the lease was lost
        // recipe:end
    }

    /** Replaces {@code RLock.tryLock(wait, lease, unit)}, which never extends the lock because it has a lease time. */
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

    /** Replaces a {@code Lock} that is reentrant, as those of Redisson, Spring Integration and redlock4j are. */
    public static void asLock(Holdfast holdfast, LongConsumer work) {
        // recipe:begin
        ThreadLock lock = holdfast.lock("orders:42").asReentrantLock();
        lock.lock();
        try {
            work.accept(lock.lease().orElseThrow().fencingToken());
        } finally {
            lock.unlock(); // throws a LeaseLostException if the lease was lost before
        }
        // recipe:end
    }

    /** Connects to the servers and keys that clients with the Redis documentation's algorithm already use. */
    public static Holdfast besideRedlock(List<String> nodes, String theirPrefix) {
        // recipe:begin
        Holdfast holdfast = Holdfast.builder()
                .nodes(nodes) // exactly the nodes that the other clients use
                .keyPrefix(theirPrefix) // "redlock:" for RedLock.net and Pottery, "" for most others
                .lockOptions(o -> o.localHandOver(false)) // other clients do not queue, so Holdfast cannot see them
                .connect();
        // recipe:end
        return holdfast;
    }

    /** Replaces {@code redlock.using(resources, ttl, signal => ...)} of node-redlock and similar calls. */
    public static void runWithSignal(Holdfast holdfast, List<Runnable> steps) throws InterruptedException {
        // recipe:begin
        DistributedLock lock = holdfast.lock("orders:42").ttl(Duration.ofSeconds(5));
        lock.run(Duration.ofSeconds(10), lease -> {
            for (Runnable step : steps) {
                lease.ensureHeld(); // like signal.aborted; a loss also interrupts this thread
                step.run();
            }
        });
        // recipe:end
    }

    /** Replaces {@code SET name value NX PX 30000} and a script that deletes the key. */
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
