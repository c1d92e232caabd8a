package dev.holdfast.node;

import dev.holdfast.LockMode;

/**
 * ACQUIRE of PROTOCOL §3: asks one node for its vote, prolongs a vote, or raises its fence. Idempotent.
 *
 * @param resource the name of the lock as the node knows it, key prefix included
 * @param owner who asks; its ticket is the place in the queue
 * @param mode the lock mode
 * @param ttlMillis how long the vote lasts, 1 or more
 * @param queue whether to stand in line when the vote can't be had now ("wait?" in the protocol)
 * @param waiterTtlMillis how long an entry in the queue lasts unless asked again, 1 or more; also bounds the first life of a
 *     vote that is granted from the queue
 * @param tokens how many fencing tokens the vote takes, 1 or more
 * @param floor 0, or the fence that the vote must bear at least; with a floor nothing is queued
 * @param heal with a floor: make the vote anew if the node is free and has seen no larger fence
 */
public record AcquireRequest(
        String resource,
        OwnerId owner,
        LockMode mode,
        long ttlMillis,
        boolean queue,
        long waiterTtlMillis,
        int tokens,
        long floor,
        boolean heal) {

    public AcquireRequest {
        if (ttlMillis < 1 || waiterTtlMillis < 1 || tokens < 1 || floor < 0) {
            throw new IllegalArgumentException("ttl " + ttlMillis + " ms, waiterTtl " + waiterTtlMillis + " ms, tokens "
                    + tokens + ", floor " + floor + ": ttls and tokens are at least 1, a floor at least 0");
        }
    }
}
