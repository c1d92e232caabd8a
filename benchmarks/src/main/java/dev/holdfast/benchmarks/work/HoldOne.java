package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.world.Answer;
import dev.holdfast.benchmarks.world.Order;

/** Acquires a lock, however long that takes, says so at once, and keeps it. Parameters: lock. */
final class HoldOne implements Work {

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        clients.keep(clients.first().lock(order.text("lock")).acquire());
        return Answer.NOTHING;
    }
}
