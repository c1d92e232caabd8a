package dev.holdfast.testkit;

/**
 * A resource that a lock protects, for tests. It keeps the value twice: the guarded copy remembers the largest fencing
 * token it has seen and rejects smaller ones; the unguarded copy accepts every write. Thread-safe.
 */
public final class FencedStore {

    private long token;
    private String guarded = "";
    private String unguarded = "";

    /**
     * Writes to both copies.
     *
     * @param token the token of the lease that the writer believes to hold
     * @return whether the guarded copy accepted the write
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

    /** Returns the guarded copy, which checks tokens. */
    public synchronized String guarded() {
        return guarded;
    }

    /** Returns the unguarded copy, which checks nothing. */
    public synchronized String unguarded() {
        return unguarded;
    }
}
