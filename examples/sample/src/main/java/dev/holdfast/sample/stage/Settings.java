package dev.holdfast.sample.stage;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a run.
 *
 * @param port the port of the first instance, which the next ones follow; 0 for any free ports
 * @param dashboard the port of the lock server; 0 for any free port
 * @param nodes the number of Redis servers
 * @param rate the number of orders placed in a second; 0 for none
 * @param folder the folder of all files, deleted at the end
 * @param properties more properties for the instances, as {@code name=value}
 */
public record Settings(int port, int dashboard, int nodes, int rate, Path folder, List<String> properties) {

    private static final Map<String, Integer> DEFAULTS = Map.of("PORT", 8081, "DASHBOARD", 7420, "NODES", 5, "RATE", 4);
    private static final int LARGEST_PORT = 65_535;

    public Settings {
        properties = List.copyOf(properties);
    }

    /**
     * Parses words such as {@code PORT=9000}.
     *
     * @throws IllegalArgumentException if a word is not a setting, or is out of its range
     */
    static Settings of(String... words) {
        Map<String, Integer> said = new HashMap<>(DEFAULTS);
        for (String word : words) {
            String[] parts = word.split("=", 2);
            if (parts.length != 2 || !DEFAULTS.containsKey(parts[0])) {
                throw new IllegalArgumentException(
                        "'" + word + "' is not NAME=number with a name of PORT, DASHBOARD, NODES and RATE");
            }
            said.put(parts[0], number(parts[0], parts[1]));
        }
        return new Settings(
                within("PORT", said, 0, LARGEST_PORT - Stage.INSTANCES + 1),
                within("DASHBOARD", said, 0, LARGEST_PORT),
                within("NODES", said, 1, 9),
                within("RATE", said, 0, 50),
                Path.of("target", "sample"),
                List.of());
    }

    private static int number(String name, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is '" + text + "', which is not a number", e);
        }
    }

    private static int within(String name, Map<String, Integer> said, int least, int most) {
        int number = said.getOrDefault(name, least);
        if (number < least || number > most) {
            throw new IllegalArgumentException(name + " is " + number + ", but must be from " + least + " to " + most);
        }
        return number;
    }
}
