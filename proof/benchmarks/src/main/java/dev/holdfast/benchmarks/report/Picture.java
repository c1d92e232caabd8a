package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.report.SvgBars;
import java.awt.Color;
import java.util.OptionalDouble;

/**
 * A chart of one metric of a scenario: medians as a bar for each side, in groups by setting.
 *
 * @param file its name, without {@code .svg}
 * @param title its title
 * @param scenario the scenario
 * @param settings the prefix of the settings that it shows
 * @param metric the metric
 * @param logarithmic whether sides are orders of magnitude apart
 */
public record Picture(String file, String title, String scenario, String settings, Metric metric, boolean logarithmic) {

    /** Returns the SVG. */
    public String svg(Figures figures) {
        SvgBars bars =
                new SvgBars(title, metric.unit.isEmpty() ? metric.title : metric.title + " (" + metric.unit + ")");
        if (logarithmic) {
            bars.logarithmic();
        }
        for (String setting : figures.settings(scenario)) {
            for (Side side : Side.values()) {
                OptionalDouble median = figures.median(scenario, setting, side.title, metric);
                double shown = median.orElse(0);
                if (setting.startsWith(settings)
                        && shown > 0
                        && Double.isFinite(shown)) { // an infinite bar shows nothing
                    bars.bar(side.title, color(side), setting, shown);
                }
            }
        }
        return bars.text();
    }

    /** Returns whether there is anything to show. */
    public boolean hasFigures(Figures figures) {
        return figures.where(figure -> figure.scenario().equals(scenario)
                        && figure.metric() == metric
                        && figure.setting().startsWith(settings))
                .findAny()
                .isPresent();
    }

    /**
     * Returns the colour of a side. Colour-blind readers can distinguish the colours (Okabe and Ito): blues for
     * Holdfast and greys for the limits.
     */
    private static Color color(Side side) {
        return switch (side) {
            case HOLDFAST, HOLDFAST_CLUSTER -> new Color(0x0072B2);
            case HOLDFAST_AT_NODES, HOLDFAST_CLUSTER_AT_NODES -> new Color(0x56B4E9);
            case HOLDFAST_LINGER -> new Color(0x003B5C);
            case HOLDFAST_SERVER -> new Color(0x6A3D9A);
            case HOLDFAST_SESSION -> new Color(0x8E5BB5);
            case HOLDFAST_SERVER_MEMORY -> new Color(0xB39DDB);
            case ETCD, ETCD_CLUSTER, ADVISORY -> new Color(0x8B4513);
            case RAW, POSTGRES_FLOOR -> new Color(0x666666);
            case BARE_SCRIPTS, POSTGRES_FLOOR_SMALL -> new Color(0xAAAAAA);
            case REDISSON, SHEDLOCK -> new Color(0xD55E00);
            case REDISSON_FAIR -> new Color(0xE69F00);
            case REDISSON_FENCED -> new Color(0xF0E442);
            case REDISSON_REDLOCK -> new Color(0xCC79A7);
            case SPRING, JDBC_REGISTRY, ZOOKEEPER -> new Color(0x009E73);
        };
    }
}
