package dev.holdfast.lock;

/** The client was closed, before the call or while it waited. Nothing of it is left at the nodes that could be told. */
public final class HoldfastClosedException extends HoldfastException {

    private static final long serialVersionUID = 1;

    public HoldfastClosedException(String message) {
        super(message);
    }
}
