package dev.holdfast.benchmarks.work;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a worker process has measured: named numbers, in a line of text. An immutable value.
 *
 * @param values by name
 * @param compiling how much the JVM's compiler did meanwhile, in seconds of its threads a second: next to nothing once all code that matters is compiled
 */
public record Answer(Map<String, Double> values, double compiling) {

    /** Done, and nothing was measured. */
    public static final Answer NOTHING = new Answer(Map.of(), 0);

    private static final String FAILED = "failed: ";
    private static final String COMPILING = "compiling";

    public Answer {
        values = Map.copyOf(values);
    }

    /** Returns one number. */
    public static Answer of(String name, double value) {
        return NOTHING.with(name, value);
    }

    /** Returns the same with one more number. */
    public Answer with(String name, double value) {
        Map<String, Double> more = new TreeMap<>(values);
        more.put(name, value);
        return new Answer(more, compiling);
    }

    /** Returns the same with one more count. */
    public Answer with(String name, long value) {
        return with(name, (double) value);
    }

    /** Returns the same, measured while the compiler did so much. */
    Answer whileCompiling(double share) {
        return new Answer(values, share);
    }

    /** Returns a number that must be there. */
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

    /** Returns the line that tells of a failure instead. */
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
        Map<String, Double> values = new HashMap<>();
        Arrays.stream(line.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word -> word.split("=", 2))
                .forEach(pair -> values.put(pair[0], Double.valueOf(pair[1])));
        Double compiling = values.remove(COMPILING);
        return new Answer(values, compiling == null ? 0 : compiling);
    }
}
