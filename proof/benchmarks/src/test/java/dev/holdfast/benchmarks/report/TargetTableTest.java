package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.side.Side;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The comparison of figures with targets. */
class TargetTableTest {

    private final Figures figures = new Figures();

    private void measure(Side side, double... rounds) {
        for (int i = 0; i < rounds.length; i++) {
            figures.add(new Figure("hot", "N = 1", side.title, Metric.PAIRS, i + 1, rounds[i]));
        }
    }

    @Test
    void theMedianIsTheMiddleOneOrBetweenTheTwoInTheMiddle() {
        measure(Side.HOLDFAST, 9, 1, 4);
        measure(Side.RAW, 4, 2, 100, 1);

        assertThat(figures.median("hot", "N = 1", Side.HOLDFAST.title, Metric.PAIRS))
                .hasValue(4);
        assertThat(figures.median("hot", "N = 1", Side.RAW.title, Metric.PAIRS)).hasValue(3);
        assertThat(figures.median("hot", "N = 2", Side.RAW.title, Metric.PAIRS)).isEmpty();
    }

    @Test
    void atTheLimitIsReachedAndAMissSaysByHowMuch() {
        assertThat(line(Target.Sense.AT_LEAST, 2, 2)).contains("| yes |");
        assertThat(line(Target.Sense.AT_LEAST, 2, 1.5)).contains("**no**, 25 % short");
        assertThat(line(Target.Sense.AT_LEAST, 2, 1.999))
                .as("never rounded to none")
                .contains("**no**, 1 % short");
        assertThat(line(Target.Sense.AT_MOST, 2, 2)).contains("| yes |");
        assertThat(line(Target.Sense.AT_MOST, 2, 3)).contains("**no**, 50 % over");
        assertThat(line(Target.Sense.AT_MOST, 2, Double.NaN)).contains("**no**");
    }

    private String line(Target.Sense sense, double wanted, double measured) {
        Target target = new Target("it", "them", sense, wanted, any -> OptionalDouble.of(measured));
        return TargetTable.of(List.of(target), figures).lines().toList().get(2);
    }

    @Test
    void whatDidNotRunIsNotMeasured() {
        Target target = new Target("it", "them", Target.Sense.AT_LEAST, 1, any -> OptionalDouble.empty());

        assertThat(TargetTable.of(List.of(target), figures)).contains("| not measured |  |");
    }

    @Test
    void tablesShowMediansWithTheirRangeAndSidesInTheirOrder() {
        measure(Side.REDISSON, 1_000, 3_000, 1_234.4);
        measure(Side.HOLDFAST, 20_000);

        assertThat(ScenarioTable.of(figures, "hot", "N = 1").lines())
                .endsWith("| Holdfast | 20,000 |", "| Redisson RLock | 1,234 (1,000–3,000) |");
    }

    @Test
    void numbersHaveThreeDigits() {
        assertThat(List.of(1.234, 12.34, 123.4, 12_345.6, 7.0, 1 / 0.0).stream().map(Digits::of))
                .containsExactly("1.23", "12.3", "123", "12,346", "7", "∞");
    }
}
