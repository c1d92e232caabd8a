package dev.holdfast.benchmarks.report;

import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A performance target.
 *
 * @param scenario what is measured
 * @param against the side to compare with
 * @param sense whether more is better
 * @param wanted the limit
 * @param measured the figure; empty if its scenario did not run
 */
public record Target(
        String scenario, String against, Sense sense, double wanted, Function<Figures, OptionalDouble> measured) {

    /** The good side of the limit. */
    public enum Sense {
        /** The limit or more is good. */
        AT_LEAST("at least"),
        /** The limit or less is good. */
        AT_MOST("at most");

        final String title;

        Sense(String title) {
            this.title = title;
        }
    }

    /** Returns whether this figure is good enough. */
    boolean isReachedBy(double value) {
        return sense == Sense.AT_LEAST ? value >= wanted : value <= wanted;
    }

    /** Returns how far this figure misses the target, as a fraction of the limit. */
    double shortfall(double value) {
        return sense == Sense.AT_LEAST ? 1 - value / wanted : value / wanted - 1;
    }
}
