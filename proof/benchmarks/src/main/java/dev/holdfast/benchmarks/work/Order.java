package dev.holdfast.benchmarks.work;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An order to a worker process: a line of text, {@code HOT_LOCK threads=8 seconds=1.5}. An immutable value.
 *
 * @param work the name of the work
 * @param parameters the parameters; neither names nor values contain blanks or {@code =}
 */
public record Order(String work, Map<String, String> parameters) {

    public Order {
        parameters = Map.copyOf(parameters);
    }

    /** Returns an order for this work, without parameters. */
    public static Order to(Enum<?> work) {
        return new Order(work.name(), Map.of());
    }

    /** Returns this order with another parameter. */
    public Order with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(name, value.toString());
        return new Order(work, more);
    }

    /** Returns a parameter that must exist. */
    public String text(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException(work + " needs " + name);
        }
        return value;
    }

    /** Returns a whole number. */
    public int count(String name) {
        return Integer.parseInt(text(name));
    }

    /** Returns a time in seconds, as nanoseconds. */
    public long nanos(String name) {
        return (long) (Double.parseDouble(text(name)) * 1e9);
    }

    /** Returns the line. */
    public String line() {
        return work
                + parameters.entrySet().stream()
                        .map(parameter -> " " + parameter.getKey() + "=" + parameter.getValue())
                        .sorted()
                        .collect(Collectors.joining());
    }

    /** Reads a line. */
    public static Order of(String line) {
        String[] words = line.split(" ");
        return new Order(
                words[0],
                Arrays.stream(words)
                        .skip(1)
                        .map(word -> word.split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
    }
}
