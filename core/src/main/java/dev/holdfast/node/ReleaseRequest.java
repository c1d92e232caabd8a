package dev.holdfast.node;

/**
 * RELEASE of PROTOCOL §3: drops the owner's vote and its place in the queue, nobody else's. Idempotent.
 *
 * @param resource the name of the lock as the node knows it
 * @param owner whose vote and entry go
 * @param buryMillis 0, or how long the node remembers the owner and denies it: closes the door behind an ACQUIRE that this request
 *     has overtaken, be it one that asks for a vote or one that would heal it
 * @param sealMillis 0, or how long the resource stays closed to everybody, because the work is done for good
 */
public record ReleaseRequest(String resource, OwnerId owner, long buryMillis, long sealMillis) {

    public ReleaseRequest {
        long longest = AcquireRequest.LONGEST_MILLIS;
        if (buryMillis < 0 || sealMillis < 0 || buryMillis > longest || sealMillis > longest) {
            throw new IllegalArgumentException(
                    "bury " + buryMillis + " ms, seal " + sealMillis + " ms: both are from 0 to " + longest + " ms");
        }
    }
}
