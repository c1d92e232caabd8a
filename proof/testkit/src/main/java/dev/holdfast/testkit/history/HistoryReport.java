package dev.holdfast.testkit.history;

import dev.holdfast.testkit.history.Finding.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a history amounts to.
 *
 * @param counts how often what happened
 * @param longestWaitNanos the longest time from asking to getting
 * @param longestFreeNanos the longest time that somebody waited for a lock that nobody held
 * @param findings everything that the checks found, in order of time
 */
public record HistoryReport(Counts counts, long longestWaitNanos, long longestFreeNanos, List<Finding> findings) {

    /** How often what happened. */
    public record Counts(
            long attempts,
            long acquisitions,
            long extensions,
            long lost,
            long gaveUp,
            long guardedWrites,
            long refusedWrites,
            long unguardedWrites) {}

    public HistoryReport {
        findings = List.copyOf(findings);
    }

    /** Returns the findings of a kind. */
    public List<Finding> findings(Kind kind) {
        return findings.stream().filter(finding -> finding.kind() == kind).toList();
    }

    /** Returns how often something was found, or how many updates were lost. */
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
                + ", longest time free while somebody waited " + LeaseChecks.millis(longestFreeNanos) + "\n" + each;
    }
}
