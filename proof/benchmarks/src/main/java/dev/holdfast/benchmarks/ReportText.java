package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.report.Digits;
import dev.holdfast.benchmarks.report.Figure;
import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.report.Picture;
import dev.holdfast.benchmarks.report.ScenarioTable;
import dev.holdfast.benchmarks.report.TargetTable;
import dev.holdfast.benchmarks.scenario.Scenario;
import dev.holdfast.benchmarks.side.Side;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report as Markdown. */
final class ReportText {

    private final List<Scenario> scenarios;
    private final Figures figures;
    private final StringBuilder text = new StringBuilder();

    private ReportText(List<Scenario> scenarios, Figures figures) {
        this.scenarios = scenarios;
        this.figures = figures;
    }

    /**
     * Returns the whole report.
     *
     * @param facts lines of Markdown
     */
    static String of(List<Scenario> scenarios, Figures figures, List<String> facts) {
        ReportText report = new ReportText(scenarios, figures);
        report.write(facts);
        return report.text.toString();
    }

    private void write(List<String> facts) {
        text.append("""
                # Benchmarks

                `make bench` writes this page. The figures of a scenario come from one run on one machine, and only their ratios apply elsewhere. All
                rounds are in [figures.csv](figures.csv). A cell shows the median of the rounds, with the smallest and the largest.

                """);
        if (figures.runs().size() > 1) {
            text.append("The scenarios come from several runs, and each names its own: ")
                    .append(String.join(", ", figures.runs()))
                    .append(". The facts about the machine are those of the last run.\n\n");
        }
        text.append("""
                ## Targets

                These are ratios of medians. Larger is better unless the target says "at most". [Why some targets are missed](limits.md) explains the rest.

                """);
        text.append(TargetTable.of(Targets.all(), figures)).append('\n');
        intruders();
        scenarios.stream()
                .filter(scenario -> figures.scenarios().contains(scenario.name()))
                .forEach(this::scenario);
        text.append("## Method\n\n");
        facts.forEach(fact -> text.append("- ").append(fact).append('\n'));
        text.append("""

                Each side has its own JVMs, with the same heap and the same collector, so that what the compiler learns from one does not affect another. All sides
                use the same servers, one after the other. A round gives each side a turn, in another order each time. Before the first round each side takes turns
                that do not count, half a second each, until its compiler has rested for three of them in a row. The benchmark deletes what a side left on the servers
                before the next turn. A turn counts once all threads have been running for a moment. A contended lock protects a room in memory that all processes share,
                which only one thread may enter at a time. The benchmark counts every thread that enters while another is inside.

                The sides:

                """);
        Stream.of(Side.values())
                .filter(side -> figures.where(figure -> figure.side().equals(side.title))
                        .findAny()
                        .isPresent())
                .forEach(side -> text.append("- **")
                        .append(side.title)
                        .append("**: ")
                        .append(side.setUp)
                        .append('\n'));
    }

    /** Names the sides that let two holders in at the same time: such a side is broken, however fast it is. */
    private void intruders() {
        Predicate<Figure> intruded = figure -> figure.metric() == Metric.INTRUDERS && figure.value() > 0;
        String broken = figures.where(intruded)
                .map(figure -> "- **" + figure.side() + " let two holders in at the same time**, "
                        + Digits.of(figure.value()) + " times in a round: " + figure.scenario() + ", "
                        + figure.setting() + "\n")
                .distinct()
                .collect(Collectors.joining());
        text.append(broken.isEmpty() ? "No side let two holders in at the same time.\n\n" : broken + "\n");
    }

    private void scenario(Scenario scenario) {
        text.append("## ")
                .append(scenario.name())
                .append("\n\n")
                .append(scenario.question())
                .append("\n\n");
        if (figures.runs().size() > 1) {
            text.append("From the run of ").append(figures.run(scenario.name())).append(".\n\n");
        }
        for (Picture picture : Pictures.LIST) {
            if (picture.scenario().equals(scenario.name()) && picture.hasFigures(figures)) {
                text.append("![")
                        .append(picture.title())
                        .append("](")
                        .append(picture.file())
                        .append(".svg)\n\n");
            }
        }
        for (String setting : figures.settings(scenario.name())) {
            text.append(ScenarioTable.of(figures, scenario.name(), setting)).append('\n');
        }
    }
}
