package dev.holdfast.simulator;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a schedule.
 *
 * @param scenario its name
 * @param seed what it was made from
 * @param counts how often what happened
 * @param violations promises that were not kept
 * @param traceHash the same for the same seed, on every machine
 */
public record Outcome(String scenario, long seed, Map<Count, Long> counts, List<Violation> violations, long traceHash) {

    public Outcome {
        Map<Count, Long> inOrder = new EnumMap<>(Count.class); // copyOf has another order in every JVM
        inOrder.putAll(counts);
        counts = Collections.unmodifiableMap(inOrder);
        violations = List.copyOf(violations);
    }

    public long count(Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /** One line that plays this schedule again. */
    public String replay() {
        return "make sim SCENARIO=" + scenario + " SEED=" + seed + " TRACE=1";
    }
}
