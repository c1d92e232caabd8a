package dev.holdfast.cli.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The nodes that a command uses: the configured nodes, or else the development nodes or the development cluster of this machine. */
final class NodeChoice {

    private NodeChoice() {}

    static List<String> of(Settings settings, Map<String, String> environment) {
        List<String> named = settings.nodes();
        if (!named.isEmpty()) {
            return named;
        }
        DevNodes nodes = DevNodes.of(environment);
        Optional<String> cluster =
                nodes.status().isEmpty() ? DevCluster.of(environment).uri() : Optional.empty();
        return cluster.map(List::of).orElseGet(nodes::uris);
    }
}
