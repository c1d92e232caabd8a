package dev.holdfast.cli.settings;

import java.util.List;
import java.util.Map;

/** Which nodes a command uses: those that were named, else the development nodes of this machine. */
final class NodeChoice {

    private NodeChoice() {}

    static List<String> of(Settings settings, Map<String, String> environment) {
        List<String> named = settings.nodes();
        return named.isEmpty() ? DevNodes.of(environment).uris() : named;
    }
}
