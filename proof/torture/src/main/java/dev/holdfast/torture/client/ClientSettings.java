package dev.holdfast.torture.client;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a client process is told at its start.
 *
 * @param kind which algorithm it uses
 * @param name its name in histories, another one after each start
 * @param history the file that it writes
 * @param database the JDBC URL of the resource
 * @param seed of its choices
 * @param workers how many threads take locks
 * @param quarantineMillis how long it keeps servers that restarted out; only Holdfast can
 * @param nodes the servers' addresses
 */
public record ClientSettings(
        Kind kind,
        String name,
        Path history,
        String database,
        long seed,
        int workers,
        long quarantineMillis,
        List<String> nodes) {

    /** The two that are compared. */
    public enum Kind {
        /** Holdfast. */
        HOLDFAST,
        /** Redlock as the Redis documentation writes it. */
        TEXTBOOK,
    }

    public ClientSettings {
        nodes = List.copyOf(nodes);
    }

    /** As arguments of a command line. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                kind.name(),
                name,
                history.toString(),
                database,
                Long.toString(seed),
                Integer.toString(workers),
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
                Long.parseLong(arguments[6]),
                Arrays.asList(arguments).subList(7, arguments.length));
    }
}
