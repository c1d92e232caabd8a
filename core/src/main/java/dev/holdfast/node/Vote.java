package dev.holdfast.node;

import dev.holdfast.lock.LockMode;

/** A grant at this node, with the node's own expiry. */
final class Vote {

    final OwnerId owner;
    final LockMode mode;
    long fence;
    long expiryMillis;

    Vote(OwnerId owner, LockMode mode, long fence, long expiryMillis) {
        this.owner = owner;
        this.mode = mode;
        this.fence = fence;
        this.expiryMillis = expiryMillis;
    }

    void prolong(long untilMillis) {
        expiryMillis = Math.max(expiryMillis, untilMillis);
    }
}
