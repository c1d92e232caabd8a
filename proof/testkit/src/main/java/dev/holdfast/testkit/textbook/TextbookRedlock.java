package dev.holdfast.testkit.textbook;

import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A client of the textbook algorithm. Thread-safe.
 *
 * <p>It acquires a lock by the Redis documentation, "The Redlock Algorithm". It sets the key with a random value at all
 * nodes, each with a timeout that is small compared with the ttl. With a majority, and time left, it holds the lock for
 * ttl - elapsed - drift. Otherwise it deletes the key at <em>all</em> nodes where the key holds this value, and retries
 * after a random delay ("Retry on Failure"). All tries of one call use the same value, as in the reference
 * implementation for Ruby.
 */
public final class TextbookRedlock {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long DRIFT_NANOS = 2 * NANOS_PER_MILLI;
    private static final long DRIFT_DIVISOR = 100;

    private final List<KeyNode> nodes;
    private final Timing timing;
    private final long nodeTimeoutNanos;
    private final long longestDelayNanos;

    /**
     * Creates a client of these nodes.
     *
     * @param nodes independent servers
     * @param timing the source of time and random numbers
     * @param nodeTimeout how long to wait for an answer of one node
     * @param longestRetryDelay the upper limit of the random delay before a retry; above zero
     */
    public TextbookRedlock(List<KeyNode> nodes, Timing timing, Duration nodeTimeout, Duration longestRetryDelay) {
        if (nodes.isEmpty() || nodeTimeout.toNanos() < 1 || longestRetryDelay.toNanos() < 1) {
            throw new IllegalArgumentException("at least one node, and times above zero: " + nodes.size() + " nodes, "
                    + nodeTimeout + ", " + longestRetryDelay);
        }
        this.nodes = List.copyOf(nodes);
        this.timing = timing;
        this.nodeTimeoutNanos = nodeTimeout.toNanos();
        this.longestDelayNanos = longestRetryDelay.toNanos();
    }

    /**
     * Tries once to acquire the lock. If that fails, completes empty once the keys are deleted or the time for that has
     * ended.
     */
    public CompletableFuture<Optional<TextbookLease>> tryAcquire(String key, Duration ttl) {
        return acquire(key, ttl, Duration.ZERO);
    }

    /**
     * Tries until it succeeds; no new try begins after {@code wait}. Completing or cancelling the future ends the
     * tries; a lock acquired later is released.
     *
     * @param ttl in whole milliseconds, 1 ms or more
     */
    public CompletableFuture<Optional<TextbookLease>> acquire(String key, Duration ttl, Duration wait) {
        TextbookAttempt attempt = new TextbookAttempt(this, key, ttl.toMillis(), wait.toNanos());
        attempt.begin();
        return attempt.outcome();
    }

    CompletableFuture<Integer> askAll(Function<KeyNode, CompletionStage<KeyAnswer>> command) {
        return VoteCount.of(nodes, timing, nodeTimeoutNanos, command);
    }

    boolean isMajority(int yes) {
        return yes >= nodes.size() / 2 + 1;
    }

    /** Returns the end of the validity: start + elapsed + (ttl - elapsed - drift). */
    long validUntilNanos(long startNanos, long ttlMillis) {
        long ttlNanos = ttlMillis * NANOS_PER_MILLI;
        return startNanos + ttlNanos - ttlNanos / DRIFT_DIVISOR - DRIFT_NANOS;
    }

    long longestDelayNanos() {
        return longestDelayNanos;
    }

    long nanos() {
        return timing.ticker().nanos();
    }

    Timing timing() {
        return timing;
    }
}
