package dev.holdfast.torture.report;

import dev.holdfast.testkit.history.Finding;
import dev.holdfast.testkit.history.Finding.Promise;
import dev.holdfast.torture.fault.Strike;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The result of a phase.
 *
 * @param name the name of the phase
 * @param length how long it was
 * @param promised the promises that had to hold
 * @param strikes the faults that struck
 * @param problems the problems of the run itself: clients that failed, faults that could not be carried out
 * @param holdfast the result of Holdfast's clients
 * @param textbook the result of the textbook clients
 */
public record PhaseResult(
        String name,
        Duration length,
        Set<Promise> promised,
        List<Strike> strikes,
        List<String> problems,
        Tale holdfast,
        Tale textbook) {

    /** For this long after a fault's repair, events still count as caused by it. */
    private static final long AFTER_NANOS = 1_500_000_000;

    public PhaseResult {
        strikes = List.copyOf(strikes);
        problems = List.copyOf(problems);
    }

    /** Returns the violations by Holdfast, and the problems of the run. */
    public List<String> violations() {
        List<String> all = new ArrayList<>(problems);
        holdfast.report().violations(promised.toArray(Promise[]::new)).forEach(finding -> all.add(finding.toString()));
        return all;
    }

    /** Returns the findings about Holdfast that break promises whose assumptions do not hold in this phase. */
    public List<Finding> beyond() {
        return holdfast.report().findings().stream()
                .filter(finding -> finding.kind().promise() == Promise.MEMORY
                        || finding.kind().promise() == Promise.BOUNDED_CLOCKS
                        || finding.kind().promise() == Promise.SEALS)
                .filter(finding -> !promised.contains(finding.kind().promise()))
                .toList();
    }

    /** Returns the names of the faults that struck. */
    public List<String> faults() {
        return strikes.stream().map(Strike::fault).distinct().sorted().toList();
    }

    /** Returns how often a fault struck. */
    public long count(String fault) {
        return strikes.stream().filter(strike -> strike.fault().equals(fault)).count();
    }

    /** Returns the times during which this fault lasted, or was repaired only shortly before. */
    public LongPredicate during(String fault) {
        List<Strike> these =
                strikes.stream().filter(strike -> strike.fault().equals(fault)).toList();
        return nanos -> these.stream().anyMatch(strike -> covers(strike, nanos));
    }

    /** Returns the times without any fault. */
    public LongPredicate outside() {
        return nanos -> strikes.stream().noneMatch(strike -> covers(strike, nanos));
    }

    private static boolean covers(Strike strike, long nanos) {
        return nanos - strike.fromNanos() >= 0 && nanos - strike.toNanos() <= AFTER_NANOS;
    }
}
