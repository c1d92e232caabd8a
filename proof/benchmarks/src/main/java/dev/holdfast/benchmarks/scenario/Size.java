package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.scenario.NodesUnwell.Fifth;
import java.util.List;
import java.util.Map;

/**
 * How much of everything a run measures.
 *
 * @param threads that lock at the same time in one process
 * @param processes that want the same lock
 * @param waiters in line for one lock
 * @param leases of one client
 * @param fifths how the fifth of five nodes is
 * @param leasesSeconds how long these are looked at; of the default ttl of 30 s, sides extend after a third
 * @param forks processes of JMH, one after the other; 0 for none but this
 */
public record Size(
        List<Integer> threads,
        List<Integer> processes,
        List<Integer> waiters,
        List<Integer> leases,
        List<Fifth> fifths,
        double leasesSeconds,
        int forks) {

    /** By name: what the report is about; without what takes long; as little as shows that it works. */
    private static final Map<String, Size> BY_NAME = Map.of(
            "full",
            new Size(
                    List.of(1, 8, 64),
                    List.of(2, 4),
                    List.of(10, 1_000, 10_000),
                    List.of(10_000, 100_000),
                    List.of(Fifth.values()),
                    10,
                    1),
            "quick",
            new Size(
                    List.of(1, 8),
                    List.of(2),
                    List.of(10, 1_000),
                    List.of(10_000),
                    List.of(Fifth.WELL, Fifth.DEAD),
                    10,
                    1),
            "blink",
            new Size(List.of(1, 4), List.of(2), List.of(5), List.of(20), List.of(Fifth.values()), 0.1, 0));

    /** Returns the one of this name. */
    static Size of(String name) {
        Size size = BY_NAME.get(name);
        if (size == null) {
            throw new IllegalArgumentException("SIZE is " + name + ", but must be one of " + BY_NAME.keySet());
        }
        return size;
    }
}
