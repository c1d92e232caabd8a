package dev.holdfast.cluster;

import dev.holdfast.lock.HoldfastException;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** The data of one server on its disk: {@code cluster.properties} with the version of the layout, the Raft engine's log and vote, and snapshots. */
final class DataFolder {

    private static final String FORMAT = "1";

    private final Path folder;

    private DataFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens the folder of an earlier run, or makes it if the settings allow that.
     *
     * @throws HoldfastException if the folder is that of another server, of a later release, or unexpectedly empty; or if it cannot be used
     */
    static DataFolder open(ClusterConfig config) {
        Path file = config.data().resolve("cluster.properties");
        try {
            if (!Files.exists(file)) {
                if (config.start() != ClusterConfig.Start.CREATE) {
                    throw new HoldfastException(config.data() + " has no data of a server. If server " + config.name()
                            + " has lost its disk, remove it from the cluster and add a server with a new name;"
                            + " under its old name it could vote twice in one term.");
                }
                Files.createDirectories(config.data());
                write(config, file);
            }
            check(config, file);
        } catch (IOException e) {
            throw new HoldfastException("the data folder " + config.data() + " cannot be used: " + e);
        }
        return new DataFolder(config.data());
    }

    private static void write(ClusterConfig config, Path file) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("format", FORMAT);
        properties.setProperty("cluster", config.cluster());
        properties.setProperty("name", config.name());
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
    }

    private static void check(ClusterConfig config, Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        require(file, "format", FORMAT, properties);
        require(file, "cluster", config.cluster(), properties);
        require(file, "name", config.name(), properties);
    }

    private static void require(Path file, String key, String expected, Properties properties) {
        String found = properties.getProperty(key, "");
        if (!found.equals(expected)) {
            throw new HoldfastException(
                    file + " has " + key + " '" + found + "', but this server needs '" + expected + "'");
        }
    }

    String log() {
        return folder.resolve("log").toString();
    }

    String meta() {
        return folder.resolve("meta").toString();
    }

    String snapshots() {
        return folder.resolve("snapshots").toString();
    }
}
