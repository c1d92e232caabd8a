package dev.holdfast.cdi.runtime;

import dev.holdfast.lock.NodeStatus;

/** The state of a node as text. */
final class NodeText {

    private NodeText() {}

    static String of(NodeStatus node) {
        return node.state() + (node.detail().isEmpty() ? "" : ": " + node.detail());
    }
}
