package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.work.Answer;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;

/** The fairness of turns. */
final class Spread {

    private static final String TURNS = "turns.";

    private Spread() {}

    /**
     * Returns the ratio of the most to the fewest turns of any thread, over all processes; infinite if one thread had
     * none.
     */
    static double of(List<Answer> answers) {
        DoubleSummaryStatistics turns = answers.stream()
                .flatMap(answer -> answer.values().entrySet().stream())
                .filter(value -> value.getKey().startsWith(TURNS))
                .mapToDouble(Map.Entry::getValue)
                .summaryStatistics();
        return turns.getMax() / turns.getMin();
    }
}
