package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.work.Answer;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;

/** How evenly turns went round. */
final class Spread {

    private static final String TURNS = "turns.";

    private Spread() {}

    /** Returns the most turns of any thread to the fewest, over all processes; infinite if one had none. */
    static double of(List<Answer> answers) {
        DoubleSummaryStatistics turns = answers.stream()
                .flatMap(answer -> answer.values().entrySet().stream())
                .filter(value -> value.getKey().startsWith(TURNS))
                .mapToDouble(Map.Entry::getValue)
                .summaryStatistics();
        return turns.getMax() / turns.getMin();
    }
}
