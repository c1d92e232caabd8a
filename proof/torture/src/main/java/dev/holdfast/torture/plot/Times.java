package dev.holdfast.torture.plot;

import java.util.List;

/**
 * A sorted list of times of one kind.
 *
 * @param millis the times in milliseconds, at least one
 */
record Times(List<Double> millis) {

    Times {
        if (millis.isEmpty()) {
            throw new IllegalArgumentException("no times");
        }
        millis = millis.stream().sorted().toList();
    }

    double mean() {
        return millis.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    double median() {
        return percentile(50);
    }

    double p99() {
        return percentile(99);
    }

    double longest() {
        return millis.get(millis.size() - 1);
    }

    /**
     * Returns a percentile by the nearest rank: the shortest time that this many per cent of all times do not exceed.
     */
    double percentile(int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("percent is " + percent + ", but must be from 1 to 100");
        }
        int rank = (millis.size() * percent + 99) / 100;
        return millis.get(rank - 1);
    }
}
