package dev.holdfast.cluster;

import dev.holdfast.lock.HoldfastException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The data of one server on its disk: {@code cluster.properties}, and the Raft engine's log, vote and snapshots of each group. Thread-safe.
 *
 * <p>The properties have the version of the layout and the identity of the server: a random number that lasts as long as the folder. The other servers
 * know it, so a server that has lost its folder cannot take part under the old identity. While a cluster is being created, the properties also collect the
 * identities of the other servers.
 */
final class DataFolder {

    private static final String FORMAT = "format";
    private static final String ONE_GROUP = "1";

    /** The layout with a folder for each of several groups, which releases before it refuse. */
    private static final String SEVERAL_GROUPS = "2";

    private static final String GROUPS = "groups";
    private static final String NAME = "name";
    private static final String IDENTITY = "identity";
    private static final String FOUNDER = "founder.";
    private static final String ACCEPTED = "accepted";
    private static final String CLUSTER_MARK = "cluster.mark";

    /** The mark of a folder whose data come from a backup, and are not complete yet. */
    private static final String RESTORED = "restored";

    private static final String ADDRESS = "address";
    private static final String SNAPSHOT_PREFIX = "snapshot_";

    private final Path folder;
    private final Path file;
    private final boolean isNew;
    private final int groups;
    private final Properties properties = new Properties();

    private DataFolder(Path folder, Path file, int groups, boolean isNew) {
        this.folder = folder;
        this.groups = groups;
        this.file = file;
        this.isNew = isNew;
    }

    /**
     * Opens the folder of an earlier run, or makes it if the settings allow that.
     *
     * @throws HoldfastException if the folder is that of another server, of another number of groups, of a later release, or unexpectedly empty; or if it
     *     cannot be used
     */
    static DataFolder open(ClusterConfig config, RandomGenerator random) {
        return open(config, random, false);
    }

    /**
     * Makes the folder of a server whose data come from a backup. Until {@link #accepted} was called, no server starts with it.
     *
     * @throws HoldfastException as {@link #open} does
     */
    static DataFolder openForRestore(ClusterConfig config, RandomGenerator random) {
        return open(config, random, true);
    }

    private static DataFolder open(ClusterConfig config, RandomGenerator random, boolean restores) {
        Path file = config.data().resolve("cluster.properties");
        try {
            DataFolder data = new DataFolder(config.data(), file, config.groups(), !Files.exists(file));
            if (data.isNew) {
                if (config.start() == ClusterConfig.Start.RESUME) {
                    throw new HoldfastException(config.data() + " has no data of a server. All servers of a new cluster"
                            + " start with CREATE, and one that is to be added with JOIN. If server " + config.name()
                            + " has lost its disk, remove it from the cluster, and add it again;"
                            + " without its data it could vote twice in one term.");
                }
                Files.createDirectories(config.data());
                data.properties.setProperty(FORMAT, data.format());
                data.properties.setProperty(GROUPS, "" + config.groups());
                data.properties.setProperty("cluster", config.cluster());
                data.properties.setProperty(NAME, config.name());
                data.properties.setProperty(ADDRESS, config.address());
                data.properties.setProperty(IDENTITY, "" + random.nextInt(1, Integer.MAX_VALUE));
                if (config.start() == ClusterConfig.Start.CREATE) {
                    config.peers().forEach((peer, address) -> data.properties.setProperty(FOUNDER + peer, address));
                }
                if (restores) {
                    data.properties.setProperty(RESTORED, "in part");
                }
                data.write();
            }
            data.check(config);
            for (int group = 0; group < config.groups(); group++) {
                Files.createDirectories(data.folderOf(group));
            }
            return data;
        } catch (IOException e) {
            throw new HoldfastException("the data folder " + config.data() + " cannot be used: " + FileReason.of(e));
        }
    }

    /** Replaces the file at once, so that a crash leaves the one before or the new one. */
    private void write() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        properties.store(bytes, null);
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes.toByteArray());
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void check(ClusterConfig config) throws IOException {
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        requireFormat();
        require("cluster", config.cluster());
        require(NAME, config.name());
        requireAddress(config);
        if (!isNew && properties.containsKey(RESTORED)) {
            throw new HoldfastException(folder
                    + " has data of a backup that was not restored completely; empty the folder, and restore it again");
        }
        identity();
    }

    /** Checks the address for the other servers, which is a part of the member. A folder of an earlier release says it only if it created the cluster. */
    private void requireAddress(ClusterConfig config) {
        String found =
                properties.getProperty(ADDRESS, properties.getProperty(FOUNDER + config.name(), config.address()));
        if (!found.equals(config.address())) {
            throw new HoldfastException(file + " has address '" + found + "', but this server needs '"
                    + config.address() + "'. The other servers know it by its former address."
                    + " To give it another one, remove it from the cluster, and add it with an empty folder.");
        }
    }

    private String format() {
        return groups == 1 ? ONE_GROUP : SEVERAL_GROUPS;
    }

    /** Checks the version of the layout, and the number of groups. A folder of an earlier release has one group, and does not say so. */
    private void requireFormat() {
        String format = properties.getProperty(FORMAT, "");
        if (!List.of(ONE_GROUP, SEVERAL_GROUPS).contains(format)) {
            throw new HoldfastException(file + " has format '" + format + "'; this release knows " + ONE_GROUP + " and "
                    + SEVERAL_GROUPS + ". If a later release wrote it, start that release.");
        }
        String found = properties.getProperty(GROUPS, "1");
        if (!found.equals("" + groups)) {
            throw new HoldfastException(file + " has groups '" + found + "', but this server needs '" + groups
                    + "'. The number of groups never changes once the cluster exists.");
        }
        require(FORMAT, format());
    }

    private void require(String key, String expected) {
        String found = properties.getProperty(key, "");
        if (!found.equals(expected)) {
            throw new HoldfastException(
                    file + " has " + key + " '" + found + "', but this server needs '" + expected + "'");
        }
    }

    /** Returns whether the folder was made for this run. */
    boolean isNew() {
        return isNew;
    }

    /** Returns the addresses of the servers with which the cluster was created, by name; none if this server joined later. */
    SortedMap<String, String> founders() {
        SortedMap<String, String> founders = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith(FOUNDER)) {
                founders.put(key.substring(FOUNDER.length()), properties.getProperty(key));
            }
        }
        return founders;
    }

    /** Returns the identity of this server. */
    int identity() {
        return number(IDENTITY)
                .orElseThrow(() -> new HoldfastException(file + " has no identity of the server; it is damaged"));
    }

    /** Returns the identity of another server with which the cluster was created, if this server knows it. */
    synchronized Optional<Integer> identityOf(String peer) {
        return number(IDENTITY + "." + peer);
    }

    private Optional<Integer> number(String key) {
        try {
            return Optional.ofNullable(properties.getProperty(key)).map(Integer::valueOf);
        } catch (NumberFormatException e) {
            throw new HoldfastException(file + " has " + key + " '" + properties.getProperty(key) + "', not a number");
        }
    }

    /**
     * Persists the identity of another server with which the cluster is being created.
     *
     * @return whether the server has this identity; it never changes
     */
    synchronized boolean learn(String peer, int identity) throws IOException {
        Optional<Integer> known = identityOf(peer);
        if (known.isEmpty()) {
            properties.setProperty(IDENTITY + "." + peer, "" + identity);
            write();
        }
        return known.orElse(identity) == identity;
    }

    /**
     * Returns a text that distinguishes the cluster from others of the same name: the identity of the first of the servers with which it was created. Empty
     * while this server does not know it.
     */
    synchronized Optional<String> clusterMark() {
        SortedMap<String, String> founders = founders();
        if (founders.isEmpty()) {
            return Optional.ofNullable(properties.getProperty(CLUSTER_MARK));
        }
        String first = founders.firstKey();
        return (first.equals(properties.getProperty(NAME)) ? Optional.of(identity()) : identityOf(first))
                .map("%08x"::formatted);
    }

    /**
     * Persists the mark of the cluster that this server joins.
     *
     * @return whether the cluster has this mark; it never changes
     */
    synchronized boolean join(String mark) throws IOException {
        Optional<String> known = clusterMark();
        if (known.isEmpty()) {
            properties.setProperty(CLUSTER_MARK, mark);
            write();
        }
        return known.orElse(mark).equals(mark);
    }

    /** Returns whether {@link #accepted} was called in this run or an earlier one. */
    synchronized boolean isAccepted() {
        return properties.containsKey(ACCEPTED);
    }

    /** Persists that the other servers have accepted this one's identity. */
    synchronized void accepted() throws IOException {
        properties.setProperty(ACCEPTED, "true");
        properties.remove(RESTORED);
        write();
    }

    /**
     * Returns the last snapshot of a group; empty without one.
     *
     * @param wallMillis the present time by the wall clock, in milliseconds
     */
    Optional<ClusterStatus.Snapshot> snapshot(int group, long wallMillis) {
        Optional<Path> newest = newestSnapshot(group);
        try {
            if (newest.isEmpty()) {
                return Optional.empty();
            }
            long written = Files.getLastModifiedTime(newest.get()).toMillis();
            return Optional.of(new ClusterStatus.Snapshot(
                    index(newest.get()), Duration.ofMillis(Math.max(wallMillis - written, 0)), size(newest.get())));
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty(); // the engine replaces the snapshot in this moment
        }
    }

    private static long size(Path snapshot) throws IOException {
        try (Stream<Path> files = Files.list(snapshot)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private Optional<Path> newestSnapshot(int group) {
        try (Stream<Path> all = Files.list(Path.of(snapshots(group)))) {
            return all.filter(path -> index(path) > 0).max(Comparator.comparing(DataFolder::index));
        } catch (IOException e) {
            return Optional.empty(); // there is none yet
        }
    }

    private static long index(Path snapshot) {
        String name = snapshot.getFileName().toString();
        try {
            return name.startsWith(SNAPSHOT_PREFIX) ? Long.parseLong(name.substring(SNAPSHOT_PREFIX.length())) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private Path folderOf(int group) {
        return groups == 1 ? folder : folder.resolve("group-" + group);
    }

    String log(int group) {
        return folderOf(group).resolve("log").toString();
    }

    String meta(int group) {
        return folderOf(group).resolve("meta").toString();
    }

    String snapshots(int group) {
        return folderOf(group).resolve("snapshots").toString();
    }
}
