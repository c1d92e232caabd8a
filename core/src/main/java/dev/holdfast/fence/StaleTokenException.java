package dev.holdfast.fence;

import dev.holdfast.lock.HoldfastException;

/** The resource has seen a larger token: whoever came with this one has lost its lease, and must not go on. */
public final class StaleTokenException extends HoldfastException {

    private static final long serialVersionUID = 1;

    private final long token;
    private final long newestToken;

    /**
     * A refusal.
     *
     * @param resource what is guarded, for people
     * @param token the token that came
     * @param newestToken the larger one that was there before
     */
    public StaleTokenException(String resource, long token, long newestToken) {
        super("token " + token + " for '" + resource + "' is stale: " + newestToken
                + " was here before, so the lease that bears " + token + " is over");
        this.token = token;
        this.newestToken = newestToken;
    }

    /** The token that was refused. */
    public long token() {
        return token;
    }

    /** The largest token that the resource had seen. */
    public long newestToken() {
        return newestToken;
    }
}
