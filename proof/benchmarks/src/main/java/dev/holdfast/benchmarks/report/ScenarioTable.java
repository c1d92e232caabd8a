package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.side.Side;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The Markdown table of one setting: a row for each side, with medians, smallest and largest values. */
public final class ScenarioTable {

    private ScenarioTable() {}

    /** Returns the table. */
    public static String of(Figures figures, String scenario, String setting) {
        List<Figure> all = figures.where(figure ->
                        figure.scenario().equals(scenario) && figure.setting().equals(setting))
                .toList();
        List<Metric> metrics =
                all.stream().map(Figure::metric).distinct().sorted().toList();
        StringBuilder text = new StringBuilder("| " + setting + " |");
        metrics.forEach(metric -> text.append(' ').append(heading(metric)).append(" |"));
        text.append("\n|---|").append("---:|".repeat(metrics.size())).append('\n');
        for (String side : sides(all)) {
            text.append("| ").append(side).append(" |");
            metrics.forEach(metric -> text.append(' ')
                    .append(cell(figures.values(scenario, setting, side, metric)))
                    .append(" |"));
            text.append('\n');
        }
        return text.toString();
    }

    private static String heading(Metric metric) {
        return metric.unit.isEmpty() ? metric.title : metric.title + " (" + metric.unit + ")";
    }

    /** Returns the sides in the order of {@link Side}, then all others in order of appearance. */
    static List<String> sides(List<Figure> figures) {
        List<String> order =
                Arrays.stream(Side.values()).map(side -> side.title).toList();
        return figures.stream()
                .map(Figure::side)
                .distinct()
                .sorted((one, other) -> Integer.compare(place(order, one), place(order, other)))
                .toList();
    }

    private static int place(List<String> order, String side) {
        int place = order.indexOf(side);
        return place < 0 ? order.size() : place;
    }

    private static String cell(double[] sorted) {
        if (sorted.length == 0) {
            return "";
        }
        String median = Digits.of(Figures.median(sorted).orElseThrow());
        String smallest = Digits.of(sorted[0]);
        String largest = Digits.of(sorted[sorted.length - 1]);
        boolean same = Objects.equals(smallest, largest);
        return same ? median : median + " (" + smallest + "–" + largest + ")";
    }
}
