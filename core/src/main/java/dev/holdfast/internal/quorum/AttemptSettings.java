package dev.holdfast.internal.quorum;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;

/**
 * The settings of an attempt.
 *
 * @param name the lock's name as its user knows it
 * @param resource the name as the nodes know it, key prefix included
 * @param terms the times of votes and queue entries, and how many fencing tokens to acquire
 * @param waits whether the attempt waits in the queue until it is cancelled or expires
 * @param nodeTimeoutNanos how long one request to one node may take
 */
public record AttemptSettings(
        String name, String resource, LockMode mode, AcquireRequest.Terms terms, boolean waits, long nodeTimeoutNanos) {

    /** Returns the same settings with or without a wait, and with another number of tokens. */
    public AttemptSettings with(boolean changedWaits, int changedTokens) {
        if (changedWaits == waits && changedTokens == tokens()) {
            return this;
        }
        AcquireRequest.Terms changed = new AcquireRequest.Terms(ttlMillis(), terms.waiterTtlMillis(), changedTokens);
        return new AttemptSettings(name, resource, mode, changed, changedWaits, nodeTimeoutNanos);
    }

    /** Returns the request for a vote, which queues if the attempt waits. */
    AcquireRequest voteRequest(OwnerId owner) {
        return new AcquireRequest(resource, owner, mode, terms, waits, AcquireRequest.Update.NONE);
    }

    /** Returns the request that updates a vote, so that the vote lasts this long from then on. */
    AcquireRequest updateRequest(OwnerId owner, long voteMillis, AcquireRequest.Update update) {
        AcquireRequest.Terms changed = new AcquireRequest.Terms(voteMillis, terms.waiterTtlMillis(), tokens());
        return new AcquireRequest(resource, owner, mode, changed, false, update);
    }

    public int tokens() {
        return terms.tokens();
    }

    public long ttlMillis() {
        return terms.ttlMillis();
    }

    long ttlNanos() {
        return ttlMillis() * 1_000_000;
    }

    long waiterTtlNanos() {
        return terms.waiterTtlMillis() * 1_000_000;
    }
}
