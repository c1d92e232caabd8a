package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Failure;
import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.cluster.ClusterConfig.PeerTls;
import dev.holdfast.cluster.ClusterConfig.Start;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which server of which cluster is meant, and where the others are. */
public class MemberOptions {

    private static final String PASSWORD = "HOLDFAST_PEER_KEYS_PASSWORD";

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "Name of the cluster that this server belongs to (default: none).")
    @Nullable
    String cluster;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of this server in its cluster.")
    @Nullable
    String name;

    @Option(
            names = "--servers",
            paramLabel = "LIST",
            description = "All servers of the cluster: NAME=HOST[:PORT[:PEERPORT]],...")
    @Nullable
    String servers;

    @Option(
            names = "--groups",
            paramLabel = "G",
            description = "Number of groups of locks, the same at all servers for ever (default: 1).")
    int groups = 1;

    @Option(
            names = "--peer-keys",
            paramLabel = "FILE",
            description = "PKCS#12 file for TLS between the servers of a cluster.")
    @Nullable
    Path peerKeys;

    /** One server's part in a cluster: the engine's settings, and the addresses of all servers. */
    public record Part(ClusterConfig config, ServerList servers) {

        /** Returns the server itself. */
        public ServerList.Server own() {
            return Objects.requireNonNull(servers.servers().get(config.name()));
        }

        /** Returns why another number of servers would be better, if this server creates a cluster with an even number of them. */
        public Optional<String> advice() {
            int count = servers.servers().size();
            if (config.start() != Start.CREATE || count % 2 != 0) {
                return Optional.empty();
            }
            return Optional.of(
                    count == 2
                            ? "a cluster of 2 servers stops as soon as one of them does; use 1 or 3"
                            : "a cluster of %d servers goes on without %d of them, as one of %d does; use %d or %d"
                                    .formatted(count, count / 2 - 1, count - 1, count - 1, count + 1));
        }
    }

    /**
     * Returns the server's part in its cluster.
     *
     * @param data the server's folder
     */
    public Part part(@Nullable Path data, Start start, Map<String, String> environment) {
        if (cluster == null || name == null || servers == null || data == null) {
            throw Failure.usage("a server of a cluster needs --cluster, --name, --servers and --data");
        }
        ServerList list = ServerList.parse(servers);
        try {
            ClusterConfig.Options usual = ClusterConfig.Options.defaults();
            ClusterConfig config = new ClusterConfig(
                    cluster,
                    name,
                    list.peers(),
                    data.resolve("cluster"),
                    start,
                    new ClusterConfig.Options(
                            groups, usual.electionTimeout(), usual.snapshotInterval(), tls(environment)));
            return new Part(config, list);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable PeerTls tls(Map<String, String> environment) {
        if (peerKeys == null) {
            return null;
        }
        String password = environment.get(PASSWORD);
        if (password == null) {
            throw Failure.usage("the password of --peer-keys is missing: set " + PASSWORD);
        }
        if (!Files.isReadable(peerKeys)) {
            throw Failure.usage("the file of --peer-keys, " + peerKeys + ", does not exist or cannot be read");
        }
        return new PeerTls(peerKeys, password);
    }
}
