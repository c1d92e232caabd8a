package dev.holdfast.fence;

import dev.holdfast.lock.HoldfastException;

/** Thrown if a resource has seen a larger token. The holder of the rejected token has lost its lease, and must stop its work. */
public final class StaleTokenException extends HoldfastException {

    private static final long serialVersionUID = 1;

    private final long token;
    private final long newestToken;

    /**
     * Creates the exception.
     *
     * @param resource the name of the guarded resource, for the message
     * @param token the rejected token
     * @param newestToken the largest token that the resource had seen
     */
    public StaleTokenException(String resource, long token, long newestToken) {
        super("token " + token + " for '" + resource + "' is stale: " + newestToken
                + " came before, so the lease with token " + token + " has ended");
        this.token = token;
        this.newestToken = newestToken;
    }

    /** Returns the rejected token. */
    public long token() {
        return token;
    }

    /** Returns the largest token that the resource had seen. */
    public long newestToken() {
        return newestToken;
    }
}
