package dev.holdfast.node;

import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.time.Moment;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A seal, which declares the work under a resource done for good (PROTOCOL §3, "seal").
 *
 * @param by the owner id of the lease under which the work was done; for a seal of another program, the content in its place
 * @param agoMillis how long ago the work was done, in milliseconds by the clock of the node that reports it; 0 or more. A longer time than 139 years counts
 *     as 139 years
 * @param remainingMillis how long the resource stays sealed, in milliseconds; empty for a seal without an end, which Holdfast does not write
 */
public record Seal(String by, long agoMillis, OptionalLong remainingMillis) {

    public Seal {
        long remaining = remainingMillis.orElse(0);
        if (agoMillis < 0 || remaining < 0 || remaining > AcquireRequest.LONGEST_MILLIS) {
            throw new IllegalArgumentException("ago " + agoMillis + " ms, remaining " + remaining
                    + " ms, but both must be 0 or more, and remaining " + AcquireRequest.LONGEST_MILLIS + " at most");
        }
        agoMillis = Math.min(agoMillis, AcquireRequest.LONGEST_MILLIS); // a node reports it as older each time
    }

    /** Creates a seal that ends after this time. */
    public Seal(String by, long agoMillis, long remainingMillis) {
        this(by, agoMillis, OptionalLong.of(remainingMillis));
    }

    /** Returns the name of the client that sealed the resource, for people. */
    public String displayBy() {
        return OwnerId.displayName(by);
    }

    /**
     * Returns the same seal after this time; null if it has ended by then. A client does not pass on a seal without an end, so such a seal ends at once.
     *
     * @param millis 0 or more
     */
    public @Nullable Seal after(long millis) {
        long left = remainingMillis.orElse(0) - millis;
        return left < 1 ? null : new Seal(by, agoMillis + millis, left);
    }

    /**
     * Returns a seal that a node reported at one moment, as it stands at a later moment; null if it has ended. Only the monotonic clock counts: a wall clock
     * that is set forward must not end a seal.
     */
    public @Nullable Seal at(Moment from, Moment now) {
        return after(TimeUnit.NANOSECONDS.toMillis(Math.max(now.nanos() - from.nanos(), 0)));
    }

    /**
     * Returns a seal from a node's answer, as a caller that receives the answer now reports it. The answer may have been under way since the request was sent,
     * so the remaining time counts from that moment, and may have passed.
     */
    public Seal reportedAt(Moment sent, Moment now) {
        Seal aged = remainingMillis.isEmpty() ? this : at(sent, now);
        return aged != null ? aged : new Seal(by, agoMillis, 0);
    }

    /** Returns this seal in the form for users. */
    public SealedWork sealedWork() {
        return new SealedWork(
                by,
                OwnerId.parse(by).map(OwnerId::client).orElse(by),
                displayBy(),
                Duration.ofMillis(agoMillis),
                Durations.ofMillis(remainingMillis));
    }

    /** Returns the seal of work that was done just now. */
    public static Seal now(OwnerId by, long retentionMillis) {
        return new Seal(by.toString(), 0, retentionMillis);
    }
}
