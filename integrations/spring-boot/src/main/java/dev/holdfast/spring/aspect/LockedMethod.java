package dev.holdfast.spring.aspect;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockMode;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.OnLost;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one method is locked, read from its annotation and checked.
 *
 * @param traps tells of what is wrong with it
 * @param name the name of the lock, or what stands before the key
 * @param key null if all calls have one lock
 * @param waitFor null unless given
 * @param ttl null for the client's
 * @param atLeast zero unless given
 * @param leaseParameter which parameter is the lease, -1 for none
 * @param result when its result is there
 */
record LockedMethod(
        MethodTraps traps,
        String name,
        @Nullable LockKey key,
        @Nullable Duration waitFor,
        @Nullable Duration ttl,
        LockMode mode,
        OnBusy onBusy,
        Duration atLeast,
        OnLost onLost,
        int leaseParameter,
        ResultKind result) {

    /** Returns the lock of a call with these arguments. */
    DistributedLock lock(Holdfast holdfast, @Nullable Object target, @Nullable Object[] args) {
        return lock(holdfast, key == null ? name : name + ":" + key.of(target, args));
    }

    /** Finds at start what the client would refuse at the first call. */
    void rehearse(Holdfast holdfast) {
        lock(holdfast, key == null ? name : name + ":key");
    }

    private DistributedLock lock(Holdfast holdfast, String lockName) {
        try {
            DistributedLock lock = holdfast.lock(lockName).mode(mode);
            return ttl == null ? lock : lock.ttl(ttl);
        } catch (IllegalArgumentException e) {
            throw traps.problem("can't be locked so: " + e.getMessage(), "Change that", e);
        }
    }

    /** Returns how long a call waits that says nothing of its own. */
    Duration waitAtMost(Duration longest) {
        if (waitFor != null) {
            return waitFor;
        }
        return onBusy == OnBusy.WAIT ? longest : Duration.ZERO;
    }
}
