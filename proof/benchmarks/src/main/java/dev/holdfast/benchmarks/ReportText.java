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

    /** Returns all of it; facts are lines of Markdown. */
    static String of(List<Scenario> scenarios, Figures figures, List<String> facts) {
        ReportText report = new ReportText(scenarios, figures);
        report.write(facts);
        return report.text.toString();
    }

    private void write(List<String> facts) {
        text.append("""
                # Benchmarks

                Written by `make bench`; the figures of a scenario are those of one run on one machine, and only their ratios mean anything elsewhere. All
                rounds are in [figures.csv](figures.csv). A cell is the median of the rounds, with the smallest and the largest.

                """);
        if (figures.runs().size() > 1) {
            text.append("Scenarios are of several runs, and each says of which: ")
                    .append(String.join(", ", figures.runs()))
                    .append(". What is said of the machine is of the last one.\n\n");
        }
        text.append("""
                ## Targets

                Ratios of medians, larger is better unless it says at most. Why some are not reached, and what would have to change, is in [limits](limits.md).

                """);
        text.append(TargetTable.of(Targets.all(), figures)).append('\n');
        intruders();
        scenarios.stream()
                .filter(scenario -> figures.scenarios().contains(scenario.name()))
                .forEach(this::scenario);
        text.append("## What was measured, and how\n\n");
        facts.forEach(fact -> text.append("- ").append(fact).append('\n'));
        text.append("""

                Each side has JVMs of its own, with the same heap and the same collector, so that none runs on what the compiler has learnt from another. All use
                the same servers by turns; a round gives each side a turn, in another order each time. Before the first round each side takes turns that do not
                count, until its compiler has rested for three of them in a row, half a second each. What a side left on the servers is deleted before the next
                turn. A turn counts when all threads have been running for a moment. Under a contended lock there is a room that only one may be in, in memory
                that all processes share; who comes in when somebody is there is counted.

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

    /** A side that lets two in is broken, whatever its speed. */
    private void intruders() {
        Predicate<Figure> intruded = figure -> figure.metric() == Metric.INTRUDERS && figure.value() > 0;
        String broken = figures.where(intruded)
                .map(figure -> "- **" + figure.side() + " let somebody in while another was there**, "
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
            text.append("Measured in the run of ")
                    .append(figures.run(scenario.name()))
                    .append(".\n\n");
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
