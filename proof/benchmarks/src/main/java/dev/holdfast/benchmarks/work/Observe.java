package dev.holdfast.benchmarks.work;

/** An idle period in which the client's own background work is measured. Parameters: seconds. */
final class Observe implements Work {

    @Override
    public Answer run(Order order, Clients clients) throws InterruptedException {
        Effort before = Effort.now();
        long threads = Threads.most(order.nanos("seconds") / 1_000_000);
        Effort effort = Effort.now().since(before);
        return Answer.of("cpu", 100 * effort.cpuNanos() / effort.nanos()).with("threadsAll", threads);
    }
}
