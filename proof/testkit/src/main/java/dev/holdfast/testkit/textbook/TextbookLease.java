package dev.holdfast.testkit.textbook;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A lock that the textbook client holds, until its validity ends or it is released. Thread-safe. Only {@link #extend}
 * extends it.
 */
public final class TextbookLease {

    private final TextbookRedlock client;
    private final String key;
    private final String value;
    private long validUntilNanos;
    private boolean released;

    TextbookLease(TextbookRedlock client, String key, String value, long validUntilNanos) {
        this.client = client;
        this.key = key;
        this.value = value;
        this.validUntilNanos = validUntilNanos;
    }

    /** Returns the key. */
    public String key() {
        return key;
    }

    /** Returns the random value that the key holds. */
    public String value() {
        return value;
    }

    /** Returns when the validity ends, on the client's monotonic clock. */
    public synchronized long validUntilNanos() {
        return validUntilNanos;
    }

    /** Returns whether it is valid now by the client's own clock, and not released. */
    public synchronized boolean isHeld() {
        return !released && client.nanos() - validUntilNanos < 0;
    }

    /**
     * Asks all nodes to keep the key for {@code ttl} from now, where it holds this value. Completes with {@code true}
     * if a majority did so within the validity ("Making the algorithm more reliable: Extending the lock"). Otherwise
     * the previous validity remains.
     */
    public CompletableFuture<Boolean> extend(Duration ttl) {
        long start = client.nanos();
        return client.askAll(node -> node.expireIfEqual(key, value, ttl.toMillis()))
                .thenApply(yes -> client.isMajority(yes) && extended(client.validUntilNanos(start, ttl.toMillis())));
    }

    private synchronized boolean extended(long until) {
        if (!isHeld() || client.nanos() - until >= 0) {
            return false;
        }
        validUntilNanos = until;
        return true;
    }

    /** Deletes the key at all nodes where it holds this value. Completes with the number of those nodes. */
    public CompletableFuture<Integer> release() {
        synchronized (this) {
            released = true;
        }
        return client.askAll(node -> node.deleteIfEqual(key, value));
    }
}
