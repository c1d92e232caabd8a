package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Failure;
import dev.holdfast.cluster.ClusterConfig.Start;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that make a lock server one of a cluster. */
public final class ClusterOptions extends MemberOptions {

    @Option(names = "--create", description = "Create the cluster, with the other servers, if there are no data yet.")
    boolean create;

    @Option(names = "--join", description = "Start without data, to be added by 'holdfast cluster add'.")
    boolean join;

    /**
     * Returns the server's part in its cluster; empty if it belongs to none.
     *
     * @param data the server's folder
     */
    public Optional<Part> part(@Nullable Path data, Map<String, String> environment) {
        if (cluster == null) {
            if (name != null || servers != null || create || join || groups != 1 || peerKeys != null) {
                throw Failure.usage(
                        "--name, --servers, --create, --join, --groups and --peer-keys are for a server of a"
                                + " cluster, but --cluster is missing");
            }
            return Optional.empty();
        }
        if (create && join) {
            throw Failure.usage("a server either creates a cluster (--create) or joins one (--join)");
        }
        return Optional.of(part(data, create ? Start.CREATE : join ? Start.JOIN : Start.RESUME, environment));
    }
}
