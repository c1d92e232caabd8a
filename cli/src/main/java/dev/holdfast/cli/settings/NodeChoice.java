package dev.holdfast.cli.settings;

import java.util.List;
import java.util.Map;

/** The nodes that a command uses: the configured nodes, or else the development nodes of this machine. */
final class NodeChoice {

    private NodeChoice() {}

    static List<String> of(Settings settings, Map<String, String> environment) {
        List<String> named = settings.nodes();
        return named.isEmpty() ? DevNodes.of(environment).uris() : named;
    }
}
