package dev.holdfast.benchmarks.report;

import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * What has to be reached.
 *
 * @param scenario what is done
 * @param against what it is compared with
 * @param sense whether more is better
 * @param wanted the limit
 * @param measured the figure, empty if its scenario did not run
 */
public record Target(
        String scenario, String against, Sense sense, double wanted, Function<Figures, OptionalDouble> measured) {

    /** Which side of the limit is the good one. */
    public enum Sense {
        /** The limit or more. */
        AT_LEAST("at least"),
        /** The limit or less. */
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

    /** By how much this figure is off, as a part of the limit. */
    double shortfall(double value) {
        return sense == Sense.AT_LEAST ? 1 - value / wanted : value / wanted - 1;
    }
}
