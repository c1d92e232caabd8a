package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.world.Answer;
import dev.holdfast.benchmarks.world.Order;

/** All that a worker process can be told to do. */
public enum Task {
    /** Each thread its own lock: {@link OwnLocks}. */
    OWN_LOCKS,
    /** All threads the same lock: {@link HotLock}. */
    HOT_LOCK;

    /** Does what the order says. */
    public static Answer run(Order order, Clients clients) throws Exception {
        return valueOf(order.work()).work().run(order, clients);
    }

    private Work work() {
        return switch (this) {
            case OWN_LOCKS -> new OwnLocks();
            case HOT_LOCK -> new HotLock();
        };
    }
}
