package dev.holdfast.torture.soak;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of a soak, in Markdown. */
final class SoakReport {

    private SoakReport() {}

    static String of(
            SoakSettings settings,
            List<String> facts,
            Watch watch,
            List<Sample> samples,
            List<Flatness.Verdict> verdicts) {
        StringBuilder text = new StringBuilder("# Soak\n\n");
        line(text, "- command: `" + settings.command() + "`");
        facts.forEach(fact -> line(text, "- " + fact));
        line(text, "");
        line(text, "Violations: " + watch.violations().size() + ".");
        line(text, "");
        watch.violations().forEach(violation -> line(text, "- " + violation));
        line(text, "\n## Counters\n");
        line(text, "Medians of the second and the last third of " + samples.size() + " samples.\n");
        row(text, Stream.of("counter", "second third", "last third", "allowed", ""));
        row(text, Stream.generate(() -> "---").limit(5));
        for (Flatness.Verdict verdict : verdicts) {
            row(
                    text,
                    Stream.of(
                            verdict.counter().text,
                            Long.toString(verdict.before()),
                            Long.toString(verdict.after()),
                            Long.toString(verdict.allowed()),
                            verdict.isFlat() ? "flat" : "**grew**"));
        }
        line(text, "\n## What happened\n");
        watch.counts().forEach((what, times) -> line(text, "- " + what + ": " + times));
        line(text, "\n## Samples\n");
        row(text, Stream.concat(Stream.of("s"), verdicts.stream().map(verdict -> verdict.counter().text)));
        row(text, Stream.generate(() -> "---").limit(1 + verdicts.size()));
        for (Sample sample : samples) {
            row(
                    text,
                    Stream.concat(
                            Stream.of(Long.toString(sample.at().toSeconds())),
                            verdicts.stream()
                                    .map(verdict ->
                                            String.valueOf(sample.values().get(verdict.counter())))));
        }
        return text.toString();
    }

    private static void row(StringBuilder text, Stream<String> cells) {
        line(text, cells.collect(Collectors.joining(" | ", "| ", " |")));
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
