package dev.holdfast.benchmarks.work;

/** Something that a worker process does over and over, and measures. */
@FunctionalInterface
interface Work {

    /** Does it once, for as long as the order says. */
    Answer run(Order order, Clients clients) throws Exception;
}
