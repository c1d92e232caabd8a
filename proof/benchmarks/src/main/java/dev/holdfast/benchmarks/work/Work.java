package dev.holdfast.benchmarks.work;

/** Work that a worker process repeats and measures. */
@FunctionalInterface
interface Work {

    /** Does the work once, for as long as the order says. */
    Answer run(Order order, Clients clients) throws Exception;
}
