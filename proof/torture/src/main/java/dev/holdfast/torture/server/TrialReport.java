package dev.holdfast.torture.server;

import dev.holdfast.torture.soak.Flatness;
import dev.holdfast.torture.soak.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The figures and violations of a trial, as Markdown. Not thread-safe. */
final class TrialReport {

    private static final int SAMPLES = 60;

    private final List<String> lines = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    void fact(String what, Object value) {
        String line = "- " + what + ": " + value;
        System.out.println(line);
        lines.add(line);
    }

    void violation(String what) {
        System.out.println("VIOLATION: " + what);
        violations.add(what);
    }

    /** Reads the server's counters 60 times in this time, and reports each that grew. */
    void samplesOf(ServerUnderTrial server, Duration time, long start) throws IOException, InterruptedException {
        List<Sample> samples = new ArrayList<>();
        for (int i = 1; i <= SAMPLES; i++) {
            long at = start + time.toNanos() / SAMPLES * i;
            Thread.sleep(Math.max(0, (at - System.nanoTime()) / 1_000_000));
            Sample sample = server.sample(Duration.ofNanos(System.nanoTime() - start));
            samples.add(sample);
            System.out.println(sample.at().toSeconds() + " s: " + sample.values());
        }
        lines.add("");
        lines.add("| counter, median of the | second third | last third | allowed |");
        lines.add("|---|--:|--:|--:|");
        for (Flatness.Verdict verdict : Flatness.of(samples)) {
            lines.add("| " + verdict.counter().text + " | " + verdict.before() + " | " + verdict.after() + " | "
                    + verdict.allowed() + " |");
            if (!verdict.isFlat()) {
                violation("not flat: " + verdict.counter().text + " went from " + verdict.before() + " to "
                        + verdict.after() + ", and " + verdict.allowed() + " is allowed");
            }
        }
        lines.add("");
        samples.forEach(sample -> lines.add("    " + sample.at().toSeconds() + " s: " + sample.values()));
        lines.add("");
    }

    List<String> violations() {
        return violations;
    }

    String text(TrialSettings settings, List<String> machine) {
        List<String> all = new ArrayList<>(List.of("# Trial of the lock server", "", "- `" + settings.command() + "`"));
        machine.forEach(fact -> all.add("- " + fact));
        all.add("- violations: " + violations.size());
        violations.forEach(violation -> all.add("  - " + violation));
        all.add("");
        all.addAll(lines);
        return String.join("\n", all) + "\n";
    }
}
