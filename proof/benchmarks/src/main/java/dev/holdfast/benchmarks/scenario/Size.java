package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.scenario.NodesUnwell.Fifth;
import java.util.List;
import java.util.Map;

/**
 * The size of a run.
 *
 * @param threads the numbers of threads that lock concurrently in one process
 * @param processes the numbers of processes that want the same lock
 * @param waiters the numbers of waiters in the queue of one lock
 * @param leases the numbers of leases of one client
 * @param fifths the states of the fifth of five nodes
 * @param leasesSeconds how long the leases are observed; with the default ttl of 30 s, sides extend after a third
 * @param cluster the size for a cluster of three servers
 * @param forks the number of successive JMH processes; 0 to use this one
 */
public record Size(
        List<Integer> threads,
        List<Integer> processes,
        List<Integer> waiters,
        List<Integer> leases,
        List<Fifth> fifths,
        double leasesSeconds,
        Cluster cluster,
        int forks) {

    /**
     * The size for a cluster of three servers.
     *
     * @param processes the numbers of processes that want the same lock
     * @param sessions the number of clients that each hold a lock
     */
    public record Cluster(List<Integer> processes, int sessions) {}

    /**
     * The sizes by name: the size of the report; the size without slow cases; and the smallest one, which only shows
     * that the benchmarks work.
     */
    private static final Map<String, Size> BY_NAME = Map.of(
            "full",
            new Size(
                    List.of(1, 8, 64),
                    List.of(2, 4),
                    List.of(10, 1_000, 10_000),
                    List.of(10_000, 100_000),
                    List.of(Fifth.values()),
                    10,
                    new Cluster(List.of(2, 8), 100),
                    1),
            "quick",
            new Size(
                    List.of(1, 8),
                    List.of(2),
                    List.of(10, 1_000),
                    List.of(10_000),
                    List.of(Fifth.WELL, Fifth.DEAD),
                    10,
                    new Cluster(List.of(2), 20),
                    1),
            "blink",
            new Size(
                    List.of(1, 4),
                    List.of(2),
                    List.of(5),
                    List.of(20),
                    List.of(Fifth.values()),
                    0.1,
                    new Cluster(List.of(2), 3),
                    0));

    /** Returns the size with this name. */
    static Size of(String name) {
        Size size = BY_NAME.get(name);
        if (size == null) {
            throw new IllegalArgumentException("SIZE is " + name + ", but must be one of " + BY_NAME.keySet());
        }
        return size;
    }
}
