package dev.holdfast.torture.report;

import dev.holdfast.testkit.history.Finding;
import dev.holdfast.testkit.history.Finding.Promise;
import dev.holdfast.testkit.history.HistoryReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** The Markdown text of a run's report. */
public final class ReportText {

    private static final String HOLDFAST = "| %s | %s | %d | %d | %d | %d | %d | %d | %s |";
    private static final String TEXTBOOK = "| %s | %s | %d | %d | %d | %d | %s |";
    private static final String SUMMARY = "| %s | %s | %s | %s | %s | %s | %s | %s |";
    private static final String NO_FAULT = "(no fault)";
    private static final int LONGEST_LIST = 20;

    private final List<String> lines = new ArrayList<>();

    private ReportText() {}

    /**
     * Returns the whole report.
     *
     * @param facts names and values: machine, command, versions
     * @param results the results of the phases
     * @param notRun what was not run, with the reason
     */
    public static String of(List<String> facts, List<PhaseResult> results, List<String> notRun) {
        ReportText text = new ReportText();
        text.head(facts, results);
        results.forEach(text::phase);
        text.section("Not run");
        notRun.forEach(line -> text.add("- " + line));
        text.section("Terms");
        text.meanings();
        return String.join("\n", text.lines) + "\n";
    }

    private void head(List<String> facts, List<PhaseResult> results) {
        add("# Torture report");
        add("");
        add(
                "This run used real servers, real processes and real faults, and wrote this page itself. [Test Holdfast](../guides/testing.md#torture) shows how to repeat it.");
        add("");
        facts.forEach(fact -> add("- " + fact));
        section("Summary");
        add(
                "| phase | promised | violations | double holders | stale writes, unguarded row | stale writes, guarded row | lost updates, unguarded row | of acquisitions |");
        add("|---|---|--:|--:|--:|--:|--:|--:|");
        for (PhaseResult result : results) {
            Tale.Part whole = result.holdfast().whole();
            Tale.Part textbook = result.textbook().whole();
            add(SUMMARY.formatted(
                    "Holdfast, " + result.name(),
                    promised(result),
                    result.violations().size(),
                    whole.doubleHolders(),
                    whole.staleUnguarded(),
                    whole.staleGuarded(),
                    whole.lostUpdates(),
                    whole.acquisitions()));
            if (result.textbook().got().isEmpty()) {
                continue;
            }
            add(SUMMARY.formatted(
                    "textbook, " + result.name(),
                    "",
                    "",
                    textbook.doubleHolders(),
                    textbook.staleUnguarded(),
                    "no tokens",
                    textbook.lostUpdates(),
                    textbook.acquisitions()));
        }
    }

    private static String promised(PhaseResult result) {
        StringBuilder promised = new StringBuilder("guarded row, nothing left");
        promised.append(result.promised().contains(Promise.MEMORY) ? ", tokens" : "");
        promised.append(result.promised().contains(Promise.BOUNDED_CLOCKS) ? ", mutual exclusion" : "");
        promised.append(result.promised().contains(Promise.SEALS) ? ", seals" : "");
        promised.append(result.promised().contains(Promise.ORDER) ? ", order" : "");
        promised.append(result.promised().contains(Promise.QUIET) ? ", progress" : "");
        return promised.toString();
    }

    private void phase(PhaseResult result) {
        section("Phase " + result.name() + ", " + result.length().toSeconds() + " s");
        add("Holdfast: " + counts(result.holdfast()));
        boolean hasTextbook = !result.textbook().got().isEmpty();
        if (hasTextbook) {
            add("");
            add("Textbook: " + counts(result.textbook()));
        }
        if (!result.strikes().isEmpty()) {
            holdfastTable(result);
            if (hasTextbook) {
                textbookTable(result);
            }
        }
        violations(result);
    }

    private static String counts(Tale tale) {
        var counts = tale.report().counts();
        return counts.attempts() + " attempts, " + counts.acquisitions() + " acquisitions, " + counts.extensions()
                + " extensions seen, " + counts.lost() + " leases lost or left to expire. Writes: "
                + counts.unguardedWrites() + " to the unguarded rows, " + counts.guardedWrites()
                + " to the guarded rows, " + counts.refusedWrites() + " rejected there. Longest wait: "
                + seconds(tale.report().longestWaitNanos()) + ". Longest time free with waiters: "
                + seconds(tale.report().longestFreeNanos()) + ". Overtaken in the queue: "
                + tale.report().count(Finding.Kind.OVERTAKEN) + ". Excess permits: "
                + tale.report().count(Finding.Kind.TOO_MANY_HOLDERS) + ". Sealed works repeated: "
                + tale.report().count(Finding.Kind.DONE_AGAIN) + "." + memory(tale);
    }

    /** Returns what was checked of values and states, if clients recorded them. */
    private static String memory(Tale tale) {
        HistoryReport report = tale.report();
        if (report.counts().states() == 0) {
            return "";
        }
        return " Values read: " + report.counts().values() + ". States of locks seen: "
                + report.counts().states() + ". Lost grants: "
                + report.count(Finding.Kind.GRANT_LOST) + ", releases: " + report.count(Finding.Kind.RELEASE_LOST)
                + ", values: " + report.count(Finding.Kind.VALUE_LOST) + ".";
    }

    private void holdfastTable(PhaseResult result) {
        add("");
        add(
                "| Holdfast under | times | acquisitions | double holders | stale, unguarded | stale, guarded | rejected | lost updates | longest wait |");
        add("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
        result.faults().forEach(fault -> add(row(fault, result.count(fault), result.holdfast(), result.during(fault))));
        add(row(NO_FAULT, 0, result.holdfast(), result.outside()));
    }

    private static String row(String name, long times, Tale tale, LongPredicate when) {
        Tale.Part part = tale.during(when);
        return HOLDFAST.formatted(
                name,
                times == 0 ? "" : Long.toString(times),
                part.acquisitions(),
                part.doubleHolders(),
                part.staleUnguarded(),
                part.staleGuarded(),
                part.refused(),
                part.lostUpdates(),
                seconds(part.longestWaitNanos()));
    }

    private void textbookTable(PhaseResult result) {
        add("");
        add("| Textbook under | times | acquisitions | double holders | stale | lost updates | longest wait |");
        add("|---|--:|--:|--:|--:|--:|--:|");
        for (String fault : result.faults()) {
            add(textbookRow(fault, result.count(fault), result.textbook().during(result.during(fault))));
        }
        add(textbookRow(NO_FAULT, 0, result.textbook().during(result.outside())));
    }

    private static String textbookRow(String name, long times, Tale.Part part) {
        return TEXTBOOK.formatted(
                name,
                times == 0 ? "" : Long.toString(times),
                part.acquisitions(),
                part.doubleHolders(),
                part.staleUnguarded(),
                part.lostUpdates(),
                seconds(part.longestWaitNanos()));
    }

    private void violations(PhaseResult result) {
        List<String> violations = result.violations();
        add("");
        add("Violations: " + violations.size() + "." + beyond(result));
        if (!violations.isEmpty()) {
            add("");
            add("```");
            violations.stream().limit(LONGEST_LIST).forEach(this::add);
            add("```");
        }
    }

    private static String beyond(PhaseResult result) {
        Map<Finding.Kind, Long> counts = result.beyond().stream()
                .collect(Collectors.groupingBy(Finding::kind, TreeMap::new, Collectors.counting()));
        return counts.isEmpty() ? "" : " Beyond the promises: " + counts + ".";
    }

    private void meanings() {
        add(
                "- *Double holder*: a lease acquired while a conflicting one was valid, each by its own client's clock. A lease of Holdfast is valid until it reports its loss, a hundredth of its ttl before its deadline.");
        add(
                "- *Stale write*: a row accepted the write of a former holder after one of its successor. The unguarded row accepts every write; the guarded row compares tokens in its `WHERE`.");
        add("- *Rejected*: the guarded row rejected a former holder.");
        add(
                "- *Lost update*: a writer overwrote what it had not read. The number is negative if an update came back that way.");
        add(
                "- A fault's row counts what happened during the fault and for 1.5 s after it. Faults overlap, so an event may count in two rows.");
        add(
                "- The seed decides which faults come when and what clients do, but not how the machine interleaves its processes: a second run differs.");
    }

    private void section(String title) {
        add("");
        add("## " + title);
        add("");
    }

    private void add(String line) {
        lines.add(line);
    }

    private static String seconds(long nanos) {
        return "%d.%d s".formatted(nanos / 1_000_000_000, nanos / 100_000_000 % 10);
    }
}
