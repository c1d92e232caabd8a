package dev.holdfast.node;

import dev.holdfast.lock.SealedWork;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * That the work under a resource is done for good (PROTOCOL §3, "seal").
 *
 * @param by the owner id of the lease under which it was done; of a seal that others wrote, whatever stands in its place
 * @param agoMillis how long ago it was done by the clock of the node that tells it, 0 or more
 * @param remainingMillis how long the resource stays closed, 0 or more; -1 without end, which Holdfast does not write
 */
public record Seal(String by, long agoMillis, long remainingMillis) {

    public Seal {
        long longest = AcquireRequest.LONGEST_MILLIS;
        if (agoMillis < 0 || agoMillis > longest || remainingMillis < -1 || remainingMillis > longest) {
            throw new IllegalArgumentException("ago " + agoMillis + " ms, remaining " + remainingMillis
                    + " ms: both are from 0 to " + longest + " ms, and the second may be -1");
        }
    }

    /** By whom, for people: the name of the client. */
    public String displayBy() {
        return OwnerId.parse(by).map(OwnerId::clientName).orElse(by);
    }

    /**
     * The same seal so much later; null if it has ended by then. One without end is not passed on, so it ends at once.
     *
     * @param millis 0 or more
     */
    public @Nullable Seal after(long millis) {
        long left = remainingMillis - millis;
        return left < 1 ? null : new Seal(by, Math.min(agoMillis + millis, AcquireRequest.LONGEST_MILLIS), left);
    }

    /** This seal as users see it. */
    public SealedWork sealedWork() {
        return new SealedWork(
                by,
                OwnerId.parse(by).map(OwnerId::client).orElse(by),
                Duration.ofMillis(agoMillis),
                remainingMillis < 0 ? null : Duration.ofMillis(remainingMillis));
    }

    /** Of work that has just been done. */
    public static Seal now(OwnerId by, long retentionMillis) {
        return new Seal(by.toString(), 0, retentionMillis);
    }
}
