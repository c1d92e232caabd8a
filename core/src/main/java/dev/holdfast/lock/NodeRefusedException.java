package dev.holdfast.lock;

/** A node must not be used as things are set up: it is a replica, a second name of another node, or refuses the credentials. */
public final class NodeRefusedException extends HoldfastException {

    private static final long serialVersionUID = 1;

    public NodeRefusedException(String message) {
        super(message);
    }
}
