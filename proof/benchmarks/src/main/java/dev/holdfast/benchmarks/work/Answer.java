package dev.holdfast.benchmarks.work;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The measurements of a worker process: named numbers, in a line of text. An immutable value.
 *
 * @param values the numbers by name
 * @param compiling the load of the JIT compiler during the measurement, in seconds of its threads per second: nearly 0
 *     once all relevant code is compiled
 */
public record Answer(Map<String, Double> values, double compiling) {

    /** An answer without measurements. */
    public static final Answer NOTHING = new Answer(Map.of(), 0);

    private static final String FAILED = "failed: ";
    private static final String COMPILING = "compiling";

    public Answer {
        values = Map.copyOf(values);
    }

    /** Returns an answer with one number. */
    public static Answer of(String name, double value) {
        return NOTHING.with(name, value);
    }

    /** Returns this answer with another number. */
    public Answer with(String name, double value) {
        Map<String, Double> more = new TreeMap<>(values);
        more.put(name, value);
        return new Answer(more, compiling);
    }

    /** Returns this answer with another count. */
    public Answer with(String name, long value) {
        return with(name, (double) value);
    }

    /** Returns this answer with the load of the JIT compiler. */
    Answer whileCompiling(double share) {
        return new Answer(values, share);
    }

    /** Returns a number that must exist. */
    public double value(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name + " in " + values);
        }
        return value;
    }

    /** Returns the line. */
    public String line() {
        return new TreeMap<>(with(COMPILING, compiling).values)
                .entrySet().stream()
                        .map(value -> value.getKey() + "=" + value.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** Returns the line that reports a failure instead. */
    public static String failure(Throwable thrown) {
        return FAILED + thrown.toString().replace('\n', ' ');
    }

    /**
     * Reads a line.
     *
     * @throws IllegalStateException if it reports a failure
     */
    public static Answer of(String line) {
        if (line.startsWith(FAILED)) {
            throw new IllegalStateException(line.substring(FAILED.length()));
        }
        Map<String, Double> values = new HashMap<>();
        Arrays.stream(line.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word -> word.split("=", 2))
                .forEach(pair -> values.put(pair[0], Double.valueOf(pair[1])));
        Double compiling = values.remove(COMPILING);
        return new Answer(values, compiling == null ? 0 : compiling);
    }
}
