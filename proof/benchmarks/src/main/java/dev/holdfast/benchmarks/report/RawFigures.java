package dev.holdfast.benchmarks.report;

import dev.holdfast.report.Csv;
import java.util.List;
import java.util.Locale;

/** All figures of all rounds, as comma-separated values. */
public final class RawFigures {

    private RawFigures() {}

    /** Returns the table. */
    public static String csv(Figures figures) {
        Csv csv = new Csv("scenario", "setting", "side", "metric", "unit", "round", "value", "run");
        figures.where(any -> true)
                .forEach(figure -> csv.row(
                        figure.scenario(),
                        figure.setting(),
                        figure.side(),
                        figure.metric().name().toLowerCase(Locale.ROOT),
                        figure.metric().unit,
                        figure.round(),
                        figure.value(),
                        figures.run(figure.scenario())));
        return csv.text();
    }

    /** Returns the figures in such a table. */
    public static Figures of(String csv) {
        Figures figures = new Figures();
        List<List<String>> rows = Csv.rows(csv);
        for (List<String> row : rows.subList(1, rows.size())) {
            figures.add(new Figure(
                    row.get(0),
                    row.get(1),
                    row.get(2),
                    Metric.valueOf(row.get(3).toUpperCase(Locale.ROOT)),
                    Integer.parseInt(row.get(5)),
                    Double.parseDouble(row.get(6))));
            figures.measured(row.get(0), row.get(7));
        }
        return figures;
    }
}
