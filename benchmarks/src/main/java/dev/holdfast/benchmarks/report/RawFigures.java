package dev.holdfast.benchmarks.report;

import dev.holdfast.report.Csv;
import java.util.Locale;

/** All figures of all rounds, as comma-separated values. */
public final class RawFigures {

    private RawFigures() {}

    /** The table. */
    public static String csv(Figures figures) {
        Csv csv = new Csv("scenario", "setting", "side", "metric", "unit", "round", "value");
        figures.where(any -> true)
                .forEach(figure -> csv.row(
                        figure.scenario(),
                        figure.setting(),
                        figure.side(),
                        figure.metric().name().toLowerCase(Locale.ROOT),
                        figure.metric().unit,
                        figure.round(),
                        figure.value()));
        return csv.text();
    }
}
