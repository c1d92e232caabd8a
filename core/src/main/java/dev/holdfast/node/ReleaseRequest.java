package dev.holdfast.node;

import dev.holdfast.internal.time.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * RELEASE of PROTOCOL §3: drops the owner's vote and its place in the queue, nobody else's. Idempotent.
 *
 * @param resource the name of the lock as the node knows it
 * @param owner whose vote and entry go
 * @param buryMillis 0, or how long the node remembers the owner and denies it: closes the door behind an ACQUIRE that this request
 *     has overtaken, be it one that asks for a vote or one that would heal it
 * @param seal says that the work is done for good, and how long the resource stays closed to everybody therefore; null if it is not. Where
 *     there is one already it stays, and lasts at least as long as this
 * @param value the lock's value, for a node that may lack it: the node keeps it, unless it keeps a later one, if the owner has its vote in mode
 *     EX or PW until now; null to leave it as it is
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
            throw new IllegalArgumentException("bury is " + DurationText.ofMillis(buryMillis)
                    + "; it must be between 0 ms and " + DurationText.ofMillis(longest));
        }
        if (seal != null && seal.remainingMillis() < 1) {
            throw new IllegalArgumentException(
                    "a seal is for " + seal.remainingMillis() + " ms, but must be for 1 or more");
        }
    }

    /** One that carries no value. */
    public ReleaseRequest(String resource, OwnerId owner, long buryMillis, @Nullable Seal seal) {
        this(resource, owner, buryMillis, seal, null);
    }

    /** One that seals nothing and carries no value. */
    public ReleaseRequest(String resource, OwnerId owner, long buryMillis) {
        this(resource, owner, buryMillis, null, null);
    }
}
