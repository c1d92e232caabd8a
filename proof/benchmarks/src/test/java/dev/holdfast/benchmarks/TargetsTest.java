package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.report.Figure;
import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.report.Target;
import dev.holdfast.benchmarks.scenario.StrictCluster;
import dev.holdfast.benchmarks.side.Side;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The targets of a strict cluster, which name the better of two peers. */
class TargetsTest {

    private final Figures figures = new Figures();

    private void measure(String setting, Side side, Metric metric, double value) {
        figures.add(new Figure(StrictCluster.NAME, setting, side.title, metric, 1, value));
    }

    private OptionalDouble measured(String setting) {
        Target target = Targets.all().stream()
                .filter(one -> one.scenario().equals("strict cluster, " + setting))
                .findFirst()
                .orElseThrow();
        return target.measured().apply(figures);
    }

    @Test
    void theFasterPeerCounts() {
        String setting = StrictCluster.threads(64);
        measure(setting, Side.HOLDFAST_CLUSTER, Metric.PAIRS, 6_000);
        measure(setting, Side.ETCD_CLUSTER, Metric.PAIRS, 1_000);
        assertThat(measured(setting)).as("one peer only").hasValue(6);

        measure(setting, Side.ZOOKEEPER, Metric.PAIRS, 2_000);
        assertThat(measured(setting)).hasValue(3);
    }

    @Test
    void ofTimesTheShorterCounts() {
        measure(StrictCluster.HAND_OVER, Side.HOLDFAST_CLUSTER, Metric.HAND_OVER_P50, 500);
        measure(StrictCluster.HAND_OVER, Side.ETCD_CLUSTER, Metric.HAND_OVER_P50, 1_000);
        measure(StrictCluster.HAND_OVER, Side.ZOOKEEPER, Metric.HAND_OVER_P50, 2_000);

        assertThat(measured(StrictCluster.HAND_OVER)).hasValue(0.5);
    }

    @Test
    void withoutAPeerThereIsNoRatio() {
        measure(StrictCluster.HAND_OVER, Side.HOLDFAST_CLUSTER, Metric.HAND_OVER_P50, 500);

        assertThat(measured(StrictCluster.HAND_OVER)).isEmpty();
    }
}
