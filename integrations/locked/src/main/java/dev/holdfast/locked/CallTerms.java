package dev.holdfast.locked;

import dev.holdfast.internal.lease.LeaseLimits;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The terms under which a method runs under a lease.
 *
 * @param atLeast the minimum time that the lock stays held, counted from when it was acquired; zero for none
 * @param onLost what happens to a call whose lease is lost while it runs
 */
public record CallTerms(Duration atLeast, LossEffect onLost) {

    /** Returns whether a call fails if its lease was lost before its end. */
    public boolean failsIfLost() {
        return onLost != LossEffect.IGNORE;
    }

    /** Returns whether the minimum time exceeds the ttl of the lock, so that the lease must be extended at the start. */
    public boolean outlastTtlOf(DistributedLock lock) {
        return atLeast.compareTo(lock.ttl()) > 0;
    }

    /** Returns the minimum time in whole milliseconds, the unit of requests to nodes. */
    public Duration atLeastInMillis() {
        return Duration.ofMillis(LeaseLimits.requireHeld("atLeast", atLeast));
    }

    /** Extends the lease at the start if its minimum time exceeds the ttl. The lock then stays held even if this process dies before the method ends. */
    public void keepFromTheStart(DistributedLock lock, Lease lease) throws InterruptedException {
        if (!outlastTtlOf(lock)) {
            return;
        }
        try {
            Objects.requireNonNull(lease.extend(atLeastInMillis()));
        } catch (InterruptedException | RuntimeException e) {
            lease.close();
            throw e;
        }
    }

    /** Releases the lease, now or when its minimum time has passed. Returns whether the lease was held until now. */
    boolean letGo(Lease lease) {
        if (atLeast.isZero()) {
            return lease.release() != ReleaseOutcome.EXPIRED;
        }
        boolean held = lease.isHeld();
        try {
            lease.releaseAfter(atLeast);
        } catch (RuntimeException e) {
            lease.close(); // otherwise the client would extend it until this process ends
            throw e;
        }
        return held;
    }

    /** Releases the lease as {@link #letGo} does, without blocking. */
    public CompletionStage<Boolean> letGoAsync(Lease lease) {
        if (atLeast.isZero()) {
            return lease.releaseAsync().thenApply(outcome -> outcome != ReleaseOutcome.EXPIRED);
        }
        boolean held = lease.isHeld();
        try {
            lease.releaseAfter(atLeast);
        } catch (RuntimeException e) {
            lease.releaseAsync(); // otherwise the client would extend it until this process ends
            throw e;
        }
        return CompletableFuture.completedFuture(held);
    }
}
