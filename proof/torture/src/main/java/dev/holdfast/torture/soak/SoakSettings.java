package dev.holdfast.torture.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The settings of a soak.
 *
 * @param time how long clients work
 * @param seed the seed of the faults and of the workers' choices; the outcome depends on the machine too
 * @param nodes the number of servers
 * @param clients the number of Holdfast clients, all in this process
 * @param workers the number of threads that use each client
 * @param readers the number of shared leases held at once, once in each window
 * @param windows how many times the counters are read
 * @param directory the directory for the report
 */
public record SoakSettings(
        Duration time, long seed, int nodes, int clients, int workers, int readers, int windows, Path directory) {

    private static final Set<String> NAMES =
            Set.of("HOURS", "SEED", "NODES", "CLIENTS", "WORKERS", "READERS", "WINDOWS", "DIRECTORY");
    private static final Duration SHORTEST_RETENTION = Duration.ofSeconds(5);
    private static final Duration LONGEST_RETENTION = Duration.ofSeconds(60);
    private static final int FEWEST_WINDOWS = 6;
    private static final double SECONDS_PER_HOUR = 3_600;

    /**
     * Parses words such as {@code HOURS=2}, which may be a fraction; a missing word gets the default.
     *
     * @throws IllegalArgumentException if a word is not a setting
     */
    static SoakSettings of(String[] words, long anySeed) {
        Map<String, String> said = new HashMap<>();
        for (String word : words) {
            String[] parts = word.split("=", 2);
            if (parts.length != 2 || !NAMES.contains(parts[0])) {
                throw new IllegalArgumentException("'" + word + "' is not NAME=value with a name of " + NAMES);
            }
            said.put(parts[0], parts[1]);
        }
        double hours = Double.parseDouble(said.getOrDefault("HOURS", "2"));
        return new SoakSettings(
                Duration.ofMillis((long) (hours * SECONDS_PER_HOUR * 1_000)),
                said.containsKey("SEED") ? Long.parseLong(said.get("SEED")) : anySeed,
                number(said, "NODES", 3, 3),
                number(said, "CLIENTS", 3, 2),
                number(said, "WORKERS", 4, 1),
                number(said, "READERS", 1_000, 1),
                number(said, "WINDOWS", 60, FEWEST_WINDOWS),
                Path.of(said.getOrDefault("DIRECTORY", "target/soak")));
    }

    private static int number(Map<String, String> said, String name, int otherwise, int least) {
        int number = Integer.parseInt(said.getOrDefault(name, Integer.toString(otherwise)));
        if (number < least) {
            throw new IllegalArgumentException(name + " is " + number + ", but must be at least " + least);
        }
        return number;
    }

    /**
     * Returns how long work stays sealed. This is short in a short soak, since all seals must expire before the end.
     */
    Duration sealRetention() {
        Duration quarter = time.dividedBy(4);
        return quarter.compareTo(SHORTEST_RETENTION) < 0
                ? SHORTEST_RETENTION
                : quarter.compareTo(LONGEST_RETENTION) > 0 ? LONGEST_RETENTION : quarter;
    }

    /** Returns the command that repeats the soak. */
    String command() {
        return "make soak HOURS=" + time.toMillis() / (1_000 * SECONDS_PER_HOUR) + " SEED=" + seed + " NODES=" + nodes
                + " CLIENTS=" + clients + " WORKERS=" + workers + " READERS=" + readers + " WINDOWS=" + windows;
    }
}
