package dev.holdfast.node;

import dev.holdfast.internal.time.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * The request RELEASE of PROTOCOL §3. It drops the owner's vote and its position in the queue, and leaves those of other owners. The request is
 * idempotent.
 *
 * @param resource the name of the lock at the node
 * @param owner the owner of the vote and the entry to drop
 * @param buryMillis how long the node keeps a tombstone of the owner, in milliseconds; 0 for none. The node denies requests of such an owner, so an
 *     ACQUIRE that this request has overtaken neither gets nor recreates a vote.
 * @param seal the seal that declares the work done, and how long the resource stays sealed; null for none. An earlier seal stays, and lasts at least
 *     as long as this one.
 * @param value the lock's value, for a node that may lack it; null to leave the node's value as it is. The node keeps the value if the owner has its
 *     vote in mode EX or PW until now, and the node has no later value.
 */
public record ReleaseRequest(
        String resource,
        OwnerId owner,
        long buryMillis,
        @Nullable Seal seal,
        @Nullable LockValue value) {

    public ReleaseRequest {
        long longest = AcquireRequest.LONGEST_MILLIS;
        if (buryMillis < 0 || buryMillis > longest) {
            throw new IllegalArgumentException("buryMillis is " + DurationText.ofMillis(buryMillis)
                    + "; it must be between 0 ms and " + DurationText.ofMillis(longest));
        }
        if (seal != null && seal.remainingMillis().orElse(0) < 1) {
            throw new IllegalArgumentException("the seal " + seal + " must have an end, 1 ms from now or later");
        }
    }

    /** Creates a request that carries no value. */
    public ReleaseRequest(String resource, OwnerId owner, long buryMillis, @Nullable Seal seal) {
        this(resource, owner, buryMillis, seal, null);
    }

    /** Creates a request that seals nothing and carries no value. */
    public ReleaseRequest(String resource, OwnerId owner, long buryMillis) {
        this(resource, owner, buryMillis, null, null);
    }
}
