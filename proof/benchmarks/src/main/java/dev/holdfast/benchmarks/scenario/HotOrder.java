package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;

/** How one lock is wanted by many. */
final class HotOrder {

    private static final double SETTLE_SECONDS = 0.2;

    private HotOrder() {}

    /** By so many threads of each of so many clients of a process, in a room of their own, without doing anything with it. */
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
