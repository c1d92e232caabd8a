package dev.holdfast.torture.soak;

import dev.holdfast.torture.soak.Sample.Counter;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether counters stayed flat. The first third of the samples is left out, since classes are loaded, code is compiled and buffers grow to
 * their size then. A counter is flat if the median of the last third is not above the median of the second third by more than its slack:
 * what a leak adds in a third of the time must be less than that.
 */
final class Flatness {

    /**
     * What became of a counter.
     *
     * @param before the median of the second third
     * @param after the median of the last third
     * @param allowed what {@code after} may be at most
     */
    record Verdict(Counter counter, long before, long after, long allowed) {

        boolean isFlat() {
            return after <= allowed;
        }
    }

    private Flatness() {}

    static List<Verdict> of(List<Sample> samples) {
        List<Verdict> verdicts = new ArrayList<>();
        int third = samples.size() / 3;
        if (third == 0) {
            throw new IllegalArgumentException(
                    samples.size() + " samples are too few to compare; at least 3 are needed");
        }
        List<Sample> second = samples.subList(samples.size() - 2 * third, samples.size() - third);
        List<Sample> last = samples.subList(samples.size() - third, samples.size());
        for (Counter counter : Counter.values()) {
            if (samples.stream().allMatch(sample -> sample.values().containsKey(counter))) {
                long before = median(second, counter);
                verdicts.add(new Verdict(counter, before, median(last, counter), counter.allowed(before)));
            }
        }
        return verdicts;
    }

    private static long median(List<Sample> samples, Counter counter) {
        long[] sorted = samples.stream()
                .mapToLong(sample -> sample.values().get(counter))
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }
}
