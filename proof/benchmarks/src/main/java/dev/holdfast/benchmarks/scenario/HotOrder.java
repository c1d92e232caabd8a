package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;

/** The order for workers that contend for one lock. */
final class HotOrder {

    private static final double SETTLE_SECONDS = 0.2;

    private HotOrder() {}

    /**
     * Returns an order for this many clients in a process, with this many threads each. They use a room of their own and
     * do no work under the lock.
     */
    static Order of(World world, int clients, int threads, int round) {
        return Order.to(Task.HOT_LOCK)
                .with("clients", clients)
                .with("threads", threads)
                .with("lock", "hot")
                .with("hold", 0)
                .with("settle", SETTLE_SECONDS)
                .with("seconds", world.seconds(round))
                .with("room", world.room());
    }
}
