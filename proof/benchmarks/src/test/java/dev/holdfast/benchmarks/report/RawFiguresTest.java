package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Figures go into a table and come out of it again, and those of several runs stand side by side. */
class RawFiguresTest {

    private static final String SETTING = "N = 1, 8 threads, \"all\"";

    private static Figure figure(String scenario, double value) {
        return new Figure(scenario, SETTING, "Holdfast", Metric.HAND_OVER_P50, 2, value);
    }

    private static Figures measured(String run, Figure... all) {
        Figures figures = new Figures();
        for (Figure figure : all) {
            figures.add(figure);
            figures.measured(figure.scenario(), run);
        }
        return figures;
    }

    @Test
    void whatIsWrittenIsRead() {
        Figures read = RawFigures.of(
                RawFigures.csv(measured("Monday", figure("hot", 1.25), figure("hot", Double.POSITIVE_INFINITY))));

        assertThat(read.where(any -> true))
                .containsExactly(figure("hot", 1.25), figure("hot", Double.POSITIVE_INFINITY));
        assertThat(read.run("hot")).isEqualTo("Monday");
    }

    @Test
    void scenariosThatWereNotMeasuredAreKept() {
        Figures figures = measured("Tuesday", figure("hot", 2));
        figures.keep(measured("Monday", figure("hot", 1), figure("readers", 3)));

        assertThat(figures.where(any -> true)).containsExactly(figure("hot", 2), figure("readers", 3));
        assertThat(figures.runs()).isEqualTo(List.of("Monday", "Tuesday"));
        assertThat(figures.run("readers")).isEqualTo("Monday");
    }

    @Test
    void ofOneRunThereIsOne() {
        assertThat(measured("Monday", figure("hot", 1), figure("readers", 3)).runs())
                .containsExactly("Monday");
    }
}
