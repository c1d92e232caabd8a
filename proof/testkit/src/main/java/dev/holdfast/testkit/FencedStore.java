package dev.holdfast.testkit;

/**
 * What a lock protects, as a test needs it: the same value twice, once in a place that remembers the largest fencing token it has seen
 * and refuses smaller ones, once in a place that takes what comes. Thread-safe.
 */
public final class FencedStore {

    private long token;
    private String guarded = "";
    private String unguarded = "";

    /**
     * Writes to both places.
     *
     * @param token of the lease under which the writer believes to write
     * @return whether the guarded place took it
     */
    public synchronized boolean write(long token, String value) {
        unguarded = value;
        if (token < this.token) {
            return false;
        }
        this.token = token;
        guarded = value;
        return true;
    }

    /** What stands in the place that looks at tokens. */
    public synchronized String guarded() {
        return guarded;
    }

    /** What stands in the place that doesn't. */
    public synchronized String unguarded() {
        return unguarded;
    }
}
