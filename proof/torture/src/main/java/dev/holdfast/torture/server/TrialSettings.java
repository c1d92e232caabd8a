package dev.holdfast.torture.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The settings of a trial.
 *
 * @param trial the name of the trial
 * @param time how long it lasts
 * @param clients the number of clients
 * @param seed the seed of the clients' choices
 * @param directory the directory for the report and the servers' files
 */
record TrialSettings(String trial, Duration time, int clients, long seed, Path directory) {

    /** The trials, and their default numbers of clients. */
    static final Map<String, Integer> TRIALS = Map.of("reconnect", 1_000, "attack", 16, "sessions", 50_000);

    private static final Set<String> NAMES = Set.of("TRIAL", "TIME", "CLIENTS", "SEED", "DIRECTORY");

    /**
     * Parses words such as {@code TIME=600}, in seconds; a missing word gets the default.
     *
     * @throws IllegalArgumentException if a word is not a setting
     */
    static TrialSettings of(String[] words, long anySeed) {
        Map<String, String> said = new HashMap<>();
        for (String word : words) {
            String[] parts = word.split("=", 2);
            if (parts.length != 2 || !NAMES.contains(parts[0])) {
                throw new IllegalArgumentException("'" + word + "' is none of " + NAMES + " with = and a value");
            }
            said.put(parts[0], parts[1]);
        }
        String trial = said.getOrDefault("TRIAL", "reconnect");
        Integer clients = TRIALS.get(trial);
        if (clients == null) {
            throw new IllegalArgumentException("TRIAL is '" + trial + "', but must be one of " + TRIALS.keySet());
        }
        return new TrialSettings(
                trial,
                Duration.ofSeconds(number(said, "TIME", 3_600)),
                (int) number(said, "CLIENTS", clients),
                said.containsKey("SEED") ? Long.parseLong(said.get("SEED")) : anySeed,
                Path.of(said.getOrDefault("DIRECTORY", "target/server-trial")).toAbsolutePath());
    }

    private static long number(Map<String, String> said, String name, long otherwise) {
        long number = Long.parseLong(said.getOrDefault(name, Long.toString(otherwise)));
        if (number < 1 || number > 1_000_000) {
            throw new IllegalArgumentException(name + " is " + number + ", but must be from 1 to 1000000");
        }
        return number;
    }

    /** Returns the command that repeats the trial. */
    String command() {
        return "make server-trial TRIAL=" + trial + " TIME=" + time.toSeconds() + " CLIENTS=" + clients + " SEED="
                + seed;
    }
}
