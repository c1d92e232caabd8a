package dev.holdfast.internal.quorum;

import dev.holdfast.HandClient;
import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;

/** Requests of experiments. */
final class Requests {

    private Requests() {}

    static AcquireRequest waiting(OwnerId owner) {
        return AcquireRequest.forQueuedVote(
                "lock", owner, LockMode.EX, HandClient.TTL_MILLIS, HandClient.TTL_MILLIS, 1);
    }
}
