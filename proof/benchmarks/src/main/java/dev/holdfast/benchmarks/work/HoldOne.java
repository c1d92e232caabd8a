package dev.holdfast.benchmarks.work;

/** A holder that acquires a lock, waiting without a limit, reports it at once, and keeps it. Parameters: lock. */
final class HoldOne implements Work {

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        clients.keep(clients.first().lock(order.text("lock")).acquire());
        return Answer.NOTHING;
    }
}
