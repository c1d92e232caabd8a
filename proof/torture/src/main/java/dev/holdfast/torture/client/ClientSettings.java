package dev.holdfast.torture.client;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The settings that a client process gets at its start.
 *
 * @param kind the algorithm that it uses
 * @param name its name in histories; each start has another name
 * @param history the file that it writes
 * @param database the JDBC URL of the resource
 * @param seed the seed of its choices
 * @param workers the number of threads that acquire locks
 * @param recipes the share of recipes, as opposed to single locks, in a hundred turns; for Holdfast only
 * @param quarantineMillis how long it quarantines restarted servers; for Holdfast only
 * @param nodes the servers' addresses
 */
public record ClientSettings(
        Kind kind,
        String name,
        Path history,
        String database,
        long seed,
        int workers,
        int recipes,
        long quarantineMillis,
        List<String> nodes) {

    /** The two algorithms of the comparison. */
    public enum Kind {
        /** Holdfast. */
        HOLDFAST,
        /** Redlock as the Redis documentation describes it. */
        TEXTBOOK,
    }

    public ClientSettings {
        nodes = List.copyOf(nodes);
    }

    /** Returns the settings as command-line arguments. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                kind.name(),
                name,
                history.toString(),
                database,
                Long.toString(seed),
                Integer.toString(workers),
                Integer.toString(recipes),
                Long.toString(quarantineMillis)));
        arguments.addAll(nodes);
        return arguments;
    }

    static ClientSettings of(String[] arguments) {
        return new ClientSettings(
                Kind.valueOf(arguments[0]),
                arguments[1],
                Path.of(arguments[2]),
                arguments[3],
                Long.parseLong(arguments[4]),
                Integer.parseInt(arguments[5]),
                Integer.parseInt(arguments[6]),
                Long.parseLong(arguments[7]),
                Arrays.asList(arguments).subList(8, arguments.length));
    }
}
