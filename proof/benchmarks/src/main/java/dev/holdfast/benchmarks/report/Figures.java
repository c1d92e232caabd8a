package dev.holdfast.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All figures in the order of their measurement; the figures of a scenario come from one run. Not thread-safe. */
public final class Figures {

    private final List<Figure> figures = new ArrayList<>();
    private final Map<String, String> runs = new LinkedHashMap<>();

    /** Adds a figure. */
    public void add(Figure figure) {
        figures.add(figure);
    }

    /** Records the run in which a scenario was measured. */
    public void measured(String scenario, String run) {
        runs.put(scenario, run);
    }

    /** Returns the run in which a scenario was measured; empty if it is unknown. */
    public String run(String scenario) {
        return runs.getOrDefault(scenario, "");
    }

    /** Returns the runs, each once. */
    public List<String> runs() {
        return scenarios().stream().map(this::run).distinct().sorted().toList();
    }

    /** Adds the figures of other scenarios that are not here. */
    public void keep(Figures others) {
        List<String> here = scenarios();
        others.where(figure -> !here.contains(figure.scenario())).forEach(figure -> {
            add(figure);
            measured(figure.scenario(), others.run(figure.scenario()));
        });
    }

    /** Returns the figures that match. */
    public Stream<Figure> where(Predicate<Figure> wanted) {
        return figures.stream().filter(wanted);
    }

    /** Returns the scenarios, each once. */
    public List<String> scenarios() {
        return figures.stream().map(Figure::scenario).distinct().toList();
    }

    /** Returns the settings of a scenario, each once. */
    public List<String> settings(String scenario) {
        return where(figure -> figure.scenario().equals(scenario))
                .map(Figure::setting)
                .distinct()
                .toList();
    }

    /** Returns the values of all rounds, sorted. */
    public double[] values(String scenario, String setting, String side, Metric metric) {
        return where(figure -> figure.metric() == metric
                        && figure.scenario().equals(scenario)
                        && figure.setting().equals(setting)
                        && figure.side().equals(side))
                .mapToDouble(Figure::value)
                .sorted()
                .toArray();
    }

    /** Returns the median of all rounds; empty if there is none. */
    public OptionalDouble median(String scenario, String setting, String side, Metric metric) {
        return median(values(scenario, setting, side, metric));
    }

    /** Returns the middle value, or the mean of the two in the middle. */
    static OptionalDouble median(double[] sorted) {
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2);
    }
}
