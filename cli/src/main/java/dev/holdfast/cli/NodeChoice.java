package dev.holdfast.cli;

import java.util.List;

/** Which nodes a command uses: those that were named, else the development nodes of this machine. */
final class NodeChoice {

    private NodeChoice() {}

    static List<String> of(Settings settings) {
        List<String> named = settings.nodes();
        if (!named.isEmpty()) {
            return named;
        }
        throw Failure.usage("no nodes are named: give --node, or set HOLDFAST_NODES");
    }
}
