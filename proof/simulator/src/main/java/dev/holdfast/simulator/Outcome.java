package dev.holdfast.simulator;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a schedule.
 *
 * @param scenario its name
 * @param seed the seed of the schedule
 * @param counts how often each event happened
 * @param violations promises that were not kept
 * @param traceHash the same for the same seed, on every machine
 */
public record Outcome(String scenario, long seed, Map<Count, Long> counts, List<Violation> violations, long traceHash) {

    public Outcome {
        Map<Count, Long> inOrder = new EnumMap<>(Count.class); // Map.copyOf has another order in every JVM
        inOrder.putAll(counts);
        counts = Collections.unmodifiableMap(inOrder);
        violations = List.copyOf(violations);
    }

    public long count(Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Returns the command that plays this schedule again. */
    public String replay() {
        return "make sim SCENARIO=" + scenario + " SEED=" + seed + " TRACE=1";
    }
}
