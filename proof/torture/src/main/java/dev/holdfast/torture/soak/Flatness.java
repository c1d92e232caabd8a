package dev.holdfast.torture.soak;

import dev.holdfast.torture.soak.Sample.Counter;
import java.util.ArrayList;
import java.util.List;

/**
 * A check of whether counters stayed flat. It leaves out the first third of the samples, in which classes are loaded,
 * code is compiled and buffers grow. A counter is flat if the median of the last third exceeds that of the second third
 * by at most its slack. A leak that adds less than the slack in a third of the time goes unnoticed.
 */
public final class Flatness {

    /**
     * The verdict on a counter.
     *
     * @param before the median of the second third
     * @param after the median of the last third
     * @param allowed the largest value that {@code after} may have
     */
    public record Verdict(Counter counter, long before, long after, long allowed) {

        public boolean isFlat() {
            return after <= allowed;
        }
    }

    private Flatness() {}

    /** Compares the samples, of which there must be at least 3. */
    public static List<Verdict> of(List<Sample> samples) {
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
