package dev.holdfast.cluster;

import dev.holdfast.node.LockGroups;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one server of a cluster.
 *
 * @param cluster the name of the cluster, the same at all servers: 1 to 40 letters, digits and {@code _-}, beginning with a letter
 * @param name the name of this server, one of the peers
 * @param peers the addresses {@code host:port} of all servers for their traffic with each other, by name. Once the cluster exists, its log decides who
 *     takes part; then only the address of this server matters
 * @param data the folder for the log and the snapshots of this server
 * @param start whether the server may start without data
 * @param options what has defaults
 */
public record ClusterConfig(
        String cluster, String name, Map<String, String> peers, Path data, Start start, Options options) {

    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,39}");
    private static final int LARGEST_PORT = 65_535;
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}");

    /** The permission to start without data. */
    public enum Start {
        /**
         * The server starts without data if its folder is empty, and creates the cluster together with its peers. It votes once all of them have
         * started for the first time, and know each other's data. A server that has lost its disk could vote twice in one term, so its peers refuse it.
         */
        CREATE,
        /**
         * The server starts without data if its folder is empty, and without a vote. It takes part once it has been added ({@link ClusterServer#add}).
         */
        JOIN,
        /** The server starts only with the data of an earlier run. */
        RESUME,
    }

    /**
     * The settings that have defaults.
     *
     * @param groups the number of groups into which the cluster divides its locks, the same at all servers; from 1 to {@value LockGroups#MOST}. Each group
     *     has a log and a leader of its own. The number never changes once the cluster exists
     * @param electionTimeout how long followers wait for a leader that is silent before they elect another one; from 100 ms to 1 min
     * @param snapshotInterval how often a server writes a snapshot and drops the log before it; 1 s or more
     * @param tls the keys for the traffic between servers; null for traffic without encryption, which is allowed on loopback addresses only
     */
    public record Options(
            int groups,
            Duration electionTimeout,
            Duration snapshotInterval,
            @Nullable PeerTls tls) {

        private static final Duration SHORTEST = Duration.ofMillis(100);

        public Options {
            if (groups < 1 || groups > LockGroups.MOST) {
                throw new IllegalArgumentException(
                        "groups is " + groups + "; it must be between 1 and " + LockGroups.MOST);
            }
            if (electionTimeout.compareTo(SHORTEST) < 0 || electionTimeout.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException("electionTimeout is " + electionTimeout.toMillis()
                        + " ms; it must be between 100 ms and 1 min");
            }
            if (snapshotInterval.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException(
                        "snapshotInterval is " + snapshotInterval.toMillis() + " ms; it must be at least 1 s");
            }
        }

        /** Returns one group, an election timeout of a second, a snapshot each minute, and no TLS. */
        public static Options defaults() {
            return new Options(1, Duration.ofSeconds(1), Duration.ofMinutes(1), null);
        }
    }

    /**
     * The key of this server and the certificates that it trusts. Both ends of a connection between servers show their certificates. A server accepts
     * every certificate that the store trusts and does not compare names, so the store must trust only the cluster's own authority.
     *
     * @param keyStore a PKCS#12 file with this server's key, its certificate, and the trusted certificates
     * @param password the password of the file and of the key
     */
    public record PeerTls(Path keyStore, String password) {

        /** Returns the name of the file, without the password. */
        @Override
        public String toString() {
            return "PeerTls[" + keyStore + "]";
        }
    }

    public ClusterConfig {
        peers = Collections.unmodifiableMap(new TreeMap<>(peers));
        if (!WORD.matcher(cluster).matches()) {
            throw new IllegalArgumentException("cluster is '" + cluster
                    + "'; it must have 1 to 40 letters, digits and _-, and begin with a letter");
        }
        if (!peers.containsKey(name)) {
            throw new IllegalArgumentException(
                    "name is '" + name + "', but the peers are " + String.join(", ", peers.keySet()));
        }
        peers.forEach((peer, address) -> check(peer, address, options.tls() != null));
        if (peers.values().stream().distinct().count() < peers.size()) {
            throw new IllegalArgumentException("two peers have the same address: " + peers);
        }
    }

    static void check(String peer, String address, boolean hasTls) {
        if (!WORD.matcher(peer).matches()) {
            throw new IllegalArgumentException("the name '" + peer
                    + "' of a peer must have 1 to 40 letters, digits and _-, and begin with a letter");
        }
        URI uri = uri(address);
        if (uri == null || uri.getHost() == null || !(uri.getHost() + ":" + uri.getPort()).equals(address)) {
            throw new IllegalArgumentException("the address of peer " + peer + " is '" + address
                    + "'; it must be a host name or an IPv4 address, and a port, such as 10.0.0.1:7520");
        }
        if (uri.getPort() < 1 || uri.getPort() > LARGEST_PORT) {
            throw new IllegalArgumentException("the port of peer " + peer + " is " + uri.getPort() + " in '" + address
                    + "'; it must be between 1 and " + LARGEST_PORT + ", the range of TCP ports");
        }
        if (!hasTls && !LOOPBACK.matcher(uri.getHost()).matches()) {
            throw new IllegalArgumentException("peer " + peer + " is at " + address
                    + ", which is not on this machine: servers on several machines need TLS between them");
        }
    }

    private static @Nullable URI uri(String address) {
        try {
            return new URI("raft://" + address);
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** Returns the address of this server for the traffic with its peers. */
    String address() {
        return Objects.requireNonNull(peers.get(name));
    }

    /** Returns the number of groups. */
    int groups() {
        return options.groups();
    }
}
