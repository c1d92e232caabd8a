package dev.holdfast.internal.quorum;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;

/**
 * The settings of an attempt.
 *
 * @param name the lock's name as its user knows it
 * @param resource the name as the nodes know it, key prefix included
 * @param ttlMillis how long a vote lasts
 * @param waitNanos how long to wait in the queue; 0 for no wait, {@link Long#MAX_VALUE} for no limit
 * @param waiterTtlMillis how long a queue entry lasts unless confirmed
 * @param tokens how many fencing tokens to acquire
 * @param nodeTimeoutNanos how long one request to one node may take
 */
public record AttemptSettings(
        String name,
        String resource,
        LockMode mode,
        long ttlMillis,
        long waitNanos,
        long waiterTtlMillis,
        int tokens,
        long nodeTimeoutNanos) {

    /** Returns the same settings with another wait and another number of tokens. */
    public AttemptSettings with(long changedWaitNanos, int changedTokens) {
        if (changedWaitNanos == waitNanos && changedTokens == tokens) {
            return this;
        }
        return new AttemptSettings(
                name, resource, mode, ttlMillis, changedWaitNanos, waiterTtlMillis, changedTokens, nodeTimeoutNanos);
    }

    /** Returns the request for a vote: queued if the attempt waits. */
    AcquireRequest voteRequest(OwnerId owner) {
        return waits()
                ? AcquireRequest.forQueuedVote(resource, owner, mode, ttlMillis, waiterTtlMillis, tokens)
                : AcquireRequest.forVote(resource, owner, mode, ttlMillis, waiterTtlMillis, tokens);
    }

    long ttlNanos() {
        return ttlMillis * 1_000_000;
    }

    long waiterTtlNanos() {
        return waiterTtlMillis * 1_000_000;
    }

    boolean waits() {
        return waitNanos > 0;
    }
}
