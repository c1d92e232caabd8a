package dev.holdfast.testkit.history;

import dev.holdfast.testkit.history.Finding.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of checking a history.
 *
 * @param counts how often each event happened
 * @param longestWaitNanos the longest time from a request to its acquisition
 * @param longestFreeNanos the longest time that an attempt waited for a free lock
 * @param findings everything that the checks found, in order of time
 */
public record HistoryReport(Counts counts, long longestWaitNanos, long longestFreeNanos, List<Finding> findings) {

    /**
     * The number of events of each kind.
     *
     * @param values how often a holder found a value
     * @param states how often a client asked for the state of a lock
     */
    public record Counts(
            long attempts,
            long acquisitions,
            long extensions,
            long lost,
            long gaveUp,
            long guardedWrites,
            long refusedWrites,
            long unguardedWrites,
            long values,
            long states) {}

    public HistoryReport {
        findings = List.copyOf(findings);
    }

    /** Returns the findings of this kind. */
    public List<Finding> findings(Kind kind) {
        return findings.stream().filter(finding -> finding.kind() == kind).toList();
    }

    /**
     * Returns the sum of the weights of the findings of this kind: how often it happened, or how many updates were
     * lost.
     */
    public long count(Kind kind) {
        return findings.stream()
                .filter(finding -> finding.kind() == kind)
                .mapToLong(Finding::weight)
                .sum();
    }

    /** Returns the findings that break one of these promises. */
    public List<Finding> violations(Finding.Promise... promises) {
        return findings.stream()
                .filter(finding ->
                        Arrays.asList(promises).contains(finding.kind().promise()))
                .toList();
    }

    /** Returns the counts, and each finding with its events. */
    @Override
    public String toString() {
        String each = findings.stream().map(Finding::toString).collect(Collectors.joining("\n"));
        return counts + "\nlongest wait " + LeaseChecks.millis(longestWaitNanos)
                + ", longest time free while an attempt waited " + LeaseChecks.millis(longestFreeNanos) + "\n" + each;
    }
}
