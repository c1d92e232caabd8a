package dev.holdfast.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The Markdown table of targets and measured figures. */
public final class TargetTable {

    private TargetTable() {}

    /** Returns the table; targets whose scenario did not run say so. */
    public static String of(List<Target> targets, Figures figures) {
        StringBuilder text = new StringBuilder("""
                | scenario | against | target | measured | reached |
                |---|---|---|---|---|
                """);
        for (Target target : targets) {
            OptionalDouble value = target.measured().apply(figures);
            text.append(String.format(
                    "| %s | %s | %s %s | %s | %s |\n",
                    target.scenario(),
                    target.against(),
                    target.sense().title,
                    Digits.of(target.wanted()),
                    value.isPresent() ? Digits.of(value.getAsDouble()) : "not measured",
                    value.isPresent() ? verdict(target, value.getAsDouble()) : ""));
        }
        return text.toString();
    }

    private static String verdict(Target target, double value) {
        if (target.isReachedBy(value)) {
            return "yes";
        }
        double percent = 100 * target.shortfall(value);
        return String.format(
                Locale.ROOT,
                "**no**, %.0f %% %s",
                Math.max(percent, 1),
                target.sense() == Target.Sense.AT_LEAST ? "short" : "over");
    }
}
