package dev.holdfast.lock;

/** Thrown if a node must not be used as it is configured: it is a replica, it is the same server as another node, or it rejects the credentials. */
public final class NodeRefusedException extends HoldfastException {

    private static final long serialVersionUID = 1;

    public NodeRefusedException(String message) {
        super(message);
    }
}
