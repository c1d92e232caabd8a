package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;

/** The first example of a lock; the README shows the lines between the marks. */
public final class FirstLock {

    private FirstLock() {}

    /** A store of orders that keeps the token of each order's last write, so that it can reject the write of a stale holder. */
    public interface Orders {

        /** Saves the order unless a larger token has written it. */
        void save(String order, long fencingToken);
    }

    /**
     * Saves an order while holding its lock.
     *
     * @param nodes the addresses of the nodes, such as {@code redis://a:6379}
     */
    public static void saveUnderLock(Orders orders, String... nodes) throws InterruptedException {
        // readme:begin
        try (Holdfast holdfast = Holdfast.connect(nodes)) { // "redis://a:6379", "redis://b:6379", "redis://c:6379"
            DistributedLock lock = holdfast.lock("orders:42");
            try (Lease lease = lock.acquire(Duration.ofSeconds(5))) { // waits in the queue, first come, first served
                orders.save("42", lease.fencingToken()); // larger than the token of every earlier holder
            }
        }
        // readme:end
    }

    /** Runs the example on the given nodes, or in memory without any. */
    public static void main(String[] nodes) throws InterruptedException {
        saveUnderLock(
                (order, token) -> System.out.println("order " + order + " saved with token " + token),
                nodes.length > 0 ? nodes : new String[] {"memory:"});
    }
}
