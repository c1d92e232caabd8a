package dev.holdfast.lock;

/** Thrown if the client must not use a node as configured: the node is a replica, is the same server as another node, or rejects the credentials. */
public final class NodeRefusedException extends HoldfastException {

    private static final long serialVersionUID = 1;

    public NodeRefusedException(String message) {
        super(message);
    }
}
