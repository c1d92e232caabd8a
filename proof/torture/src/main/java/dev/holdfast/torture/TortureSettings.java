package dev.holdfast.torture;

import dev.holdfast.torture.world.Servers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings of a run.
 *
 * @param time how long clients work, all phases together; start, end and checks take additional time
 * @param seed the seed of the faults, their order and lengths, and of the clients' choices; the outcome depends on the
 *     machine too
 * @param kind the kind of the servers
 * @param nodes the number of servers
 * @param groups the number of groups into which a cluster divides its locks
 * @param clients the number of processes that use Holdfast
 * @param textbooks the number of processes that use the textbook client
 * @param workers the number of threads of each process
 * @param recipes the share of recipes, as opposed to single locks, in a hundred turns
 * @param broken the number of Holdfast's processes that lock at one server only, so that the run must find violations; on a
 *     cluster, whether data of a majority are replaced by earlier copies
 * @param faults the simple names of the classes whose faults strike under the assumptions; empty for all
 * @param directory the directory for the report, histories and logs
 */
public record TortureSettings(
        Duration time,
        long seed,
        Servers.Kind kind,
        int nodes,
        int groups,
        int clients,
        int textbooks,
        int workers,
        int recipes,
        int broken,
        Set<String> faults,
        Path directory) {

    private static final Set<String> NAMES = Set.of(
            "TIME",
            "SEED",
            "NODE",
            "NODES",
            "GROUPS",
            "CLIENTS",
            "TEXTBOOKS",
            "WORKERS",
            "RECIPES",
            "BROKEN",
            "FAULTS",
            "DIRECTORY");

    /**
     * Parses words such as {@code TIME=600}, in seconds; a missing word gets the default.
     *
     * @throws IllegalArgumentException if a word is not a setting
     */
    static TortureSettings of(String[] words, long anySeed) {
        Map<String, String> said = new HashMap<>();
        for (String word : words) {
            String[] parts = word.split("=", 2);
            if (parts.length != 2 || !NAMES.contains(parts[0])) {
                throw new IllegalArgumentException("'" + word + "' is not NAME=value with a name of " + NAMES);
            }
            said.put(parts[0], parts[1]);
        }
        Servers.Kind kind = kind(said.getOrDefault("NODE", "redis"));
        boolean redis = kind == Servers.Kind.REDIS;
        boolean cluster = kind == Servers.Kind.CLUSTER;
        return new TortureSettings(
                Duration.ofSeconds(number(said, "TIME", 600, 20)),
                said.containsKey("SEED") ? Long.parseLong(said.get("SEED")) : anySeed,
                kind,
                (int) number(said, "NODES", redis ? 5 : cluster ? 3 : 1, redis || cluster ? 3 : 1),
                (int) number(said, "GROUPS", 1, 1),
                (int) number(said, "CLIENTS", 3, 2),
                redis ? (int) number(said, "TEXTBOOKS", 2, 0) : 0,
                (int) number(said, "WORKERS", 8, 1),
                (int) number(said, "RECIPES", 15, 0),
                (int) number(said, "BROKEN", 0, 0),
                names(said.getOrDefault("FAULTS", "")),
                Path.of(said.getOrDefault("DIRECTORY", "target/torture")));
    }

    private static Servers.Kind kind(String text) {
        return switch (text) {
            case "redis" -> Servers.Kind.REDIS;
            case "postgresql" -> Servers.Kind.POSTGRESQL;
            case "cluster" -> Servers.Kind.CLUSTER;
            default ->
                throw new IllegalArgumentException("NODE is '" + text + "', but must be redis, postgresql or cluster");
        };
    }

    private static Set<String> names(String text) {
        return text.isEmpty() ? Set.of() : new TreeSet<>(Set.of(text.split(",")));
    }

    private static long number(Map<String, String> said, String name, long otherwise, long least) {
        String text = said.get(name);
        long number = text == null ? otherwise : Long.parseLong(text);
        if (number < least) {
            throw new IllegalArgumentException(name + " is " + number + ", but must be at least " + least);
        }
        return number;
    }

    /** Returns the command that repeats the run. */
    String command() {
        return "make torture TIME=" + time.toSeconds() + " SEED=" + seed
                + (kind == Servers.Kind.REDIS ? "" : " NODE=" + kind.name().toLowerCase(Locale.ROOT)) + " NODES="
                + nodes + (groups == 1 ? "" : " GROUPS=" + groups) + " CLIENTS=" + clients
                + " TEXTBOOKS=" + textbooks + " WORKERS=" + workers + " RECIPES=" + recipes
                + (broken == 0 ? "" : " BROKEN=" + broken)
                + (faults.isEmpty() ? "" : " FAULTS=" + String.join(",", faults));
    }
}
