package dev.holdfast.lock;

/** Thrown if the client was closed, before the call or while it waited. The client has released its leases at every node that it could reach. */
public final class HoldfastClosedException extends HoldfastException {

    private static final long serialVersionUID = 1;

    public HoldfastClosedException(String message) {
        super(message);
    }
}
