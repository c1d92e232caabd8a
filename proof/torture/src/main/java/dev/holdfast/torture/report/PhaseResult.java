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
 * What came of a phase.
 *
 * @param name of the phase
 * @param length how long it was
 * @param promised what had to hold
 * @param strikes the faults that were there
 * @param problems of the run itself: clients that failed, faults that could not be carried out
 * @param holdfast what Holdfast's clients did
 * @param textbook what the textbook's did
 */
public record PhaseResult(
        String name,
        Duration length,
        Set<Promise> promised,
        List<Strike> strikes,
        List<String> problems,
        Tale holdfast,
        Tale textbook) {

    /** What happens so soon after a fault was mended is still put down to it. */
    private static final long AFTER_NANOS = 1_500_000_000;

    public PhaseResult {
        strikes = List.copyOf(strikes);
        problems = List.copyOf(problems);
    }

    /** What Holdfast must not have done, and what the run could not do. */
    public List<String> violations() {
        List<String> all = new ArrayList<>(problems);
        holdfast.report().violations(promised.toArray(Promise[]::new)).forEach(finding -> all.add(finding.toString()));
        return all;
    }

    /** What Holdfast did that is promised where its assumptions hold, which they do not in this phase. */
    public List<Finding> beyond() {
        return holdfast.report().findings().stream()
                .filter(finding -> finding.kind().promise() == Promise.MEMORY
                        || finding.kind().promise() == Promise.BOUNDED_CLOCKS
                        || finding.kind().promise() == Promise.SEALS)
                .filter(finding -> !promised.contains(finding.kind().promise()))
                .toList();
    }

    /** Returns the names of the faults that were there. */
    public List<String> faults() {
        return strikes.stream().map(Strike::fault).distinct().sorted().toList();
    }

    /** Returns how often a fault was there. */
    public long count(String fault) {
        return strikes.stream().filter(strike -> strike.fault().equals(fault)).count();
    }

    /** Returns the times at which this fault was there, or had just been mended. */
    public LongPredicate during(String fault) {
        List<Strike> these =
                strikes.stream().filter(strike -> strike.fault().equals(fault)).toList();
        return nanos -> these.stream().anyMatch(strike -> covers(strike, nanos));
    }

    /** Returns the times at which no fault was there. */
    public LongPredicate outside() {
        return nanos -> strikes.stream().noneMatch(strike -> covers(strike, nanos));
    }

    private static boolean covers(Strike strike, long nanos) {
        return nanos - strike.fromNanos() >= 0 && nanos - strike.toNanos() <= AFTER_NANOS;
    }
}
