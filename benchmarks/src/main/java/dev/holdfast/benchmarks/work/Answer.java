package dev.holdfast.benchmarks.work;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a worker process has measured: named numbers, in a line of text. An immutable value.
 *
 * @param values by name
 */
public record Answer(Map<String, Double> values) {

    /** Done, and nothing was measured. */
    public static final Answer NOTHING = new Answer(Map.of());

    private static final String FAILED = "failed: ";

    public Answer {
        values = Map.copyOf(values);
    }

    /** One number. */
    public static Answer of(String name, double value) {
        return new Answer(Map.of(name, value));
    }

    /** The same with one more number. */
    public Answer with(String name, double value) {
        Map<String, Double> more = new TreeMap<>(values);
        more.put(name, value);
        return new Answer(more);
    }

    /** The same with one more count. */
    public Answer with(String name, long value) {
        return with(name, (double) value);
    }

    /** A number that must be there. */
    public double value(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name + " in " + values);
        }
        return value;
    }

    /** The line. */
    public String line() {
        return new TreeMap<>(values)
                .entrySet().stream()
                        .map(value -> value.getKey() + "=" + value.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** The line that tells of a failure instead. */
    public static String failure(Throwable thrown) {
        return FAILED + thrown.toString().replace('\n', ' ');
    }

    /**
     * Reads a line.
     *
     * @throws IllegalStateException if it tells of a failure
     */
    public static Answer of(String line) {
        if (line.startsWith(FAILED)) {
            throw new IllegalStateException(line.substring(FAILED.length()));
        }
        return new Answer(Arrays.stream(line.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Double.valueOf(pair[1]))));
    }
}
