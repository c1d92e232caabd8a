package dev.holdfast.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** The plain-text table of one setting: a line for each side, with medians first, then smallest and largest values. */
public final class SettingTable {

    private SettingTable() {}

    /** Returns the table, with sides in their own order. */
    public static String text(Figures figures, String scenario, String setting) {
        List<Figure> all = figures.where(figure ->
                        figure.scenario().equals(scenario) && figure.setting().equals(setting))
                .toList();
        List<Metric> metrics =
                all.stream().map(Figure::metric).distinct().sorted().toList();
        StringBuilder text = new StringBuilder("== " + scenario + ": " + setting + "\n");
        for (String side : ScenarioTable.sides(all)) {
            text.append(String.format(Locale.ROOT, "%-28s", side));
            for (Metric metric : metrics) {
                text.append(cell(figures.values(scenario, setting, side, metric), metric));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String cell(double[] sorted, Metric metric) {
        if (sorted.length == 0) {
            return "";
        }
        double median = Figures.median(sorted).orElseThrow();
        String unit = metric.unit.isEmpty() ? "" : " " + metric.unit;
        return String.format(
                "  %s %s%s (%s..%s)",
                metric.name().toLowerCase(Locale.ROOT),
                Digits.of(median),
                unit,
                Digits.of(sorted[0]),
                Digits.of(sorted[sorted.length - 1]));
    }
}
