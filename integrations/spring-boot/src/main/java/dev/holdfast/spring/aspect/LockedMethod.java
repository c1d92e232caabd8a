package dev.holdfast.spring.aspect;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockMode;
import dev.holdfast.locked.CallTerms;
import dev.holdfast.locked.LossEffect;
import dev.holdfast.locked.MajorityWarning;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.OnLost;
import java.time.Duration;
import java.util.OptionalInt;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a locked method, read from its annotation and checked.
 *
 * @param traps reports problems with the method
 * @param name the name of the lock, or the part before the key
 * @param key null if all calls share one lock
 * @param waitFor null unless set
 * @param ttl null for the client's ttl
 * @param maxHold null for the client's longest hold
 * @param atLeast zero unless set
 * @param reentrant whether a call may run under the lease of an outer call
 * @param leaseParameter the index of the parameter for the lease, if there is one
 * @param result the kind of the method's result
 */
record LockedMethod(
        MethodTraps traps,
        String name,
        @Nullable LockKey key,
        @Nullable Duration waitFor,
        @Nullable Duration ttl,
        @Nullable Duration maxHold,
        LockMode mode,
        OnBusy onBusy,
        Duration atLeast,
        OnLost onLost,
        boolean reentrant,
        OptionalInt leaseParameter,
        ResultKind result) {

    private static final Log LOG = LogFactory.getLog(LockedMethod.class);

    /** Returns the terms of a call. */
    CallTerms terms() {
        return new CallTerms(atLeast, LossEffect.valueOf(onLost.name()));
    }

    /** Returns the lock for a call with these arguments. */
    DistributedLock lock(Holdfast holdfast, @Nullable Object target, @Nullable Object[] args) {
        return lock(holdfast, key == null ? name : name + ":" + key.of(target, args));
    }

    /** Checks at the start the settings that the client would otherwise reject at the first call. */
    void rehearse(Holdfast holdfast) {
        if (key != null) {
            key.check();
        }
        lock(holdfast, key == null ? name : name + ":key");
    }

    private DistributedLock lock(Holdfast holdfast, String lockName) {
        try {
            DistributedLock lock = holdfast.lock(lockName).mode(mode);
            lock = ttl == null ? lock : lock.ttl(ttl);
            lock = maxHold == null ? lock : lock.maxHold(maxHold);
            return onBusy == OnBusy.WAIT ? warning(lock) : lock;
        } catch (IllegalArgumentException e) {
            throw traps.problem("cannot be locked: " + e.getMessage(), "Change the annotation", e);
        }
    }

    private DistributedLock warning(DistributedLock lock) {
        MajorityWarning warning = new MajorityWarning(traps.toString(), LOG::warn);
        return lock.onWaiting(lock.options().onWaiting().map(warning::andThen).orElse(warning));
    }

    /** Returns how long a call waits at most; {@code longest} applies to waiting methods without their own limit. */
    Duration waitAtMost(Duration longest) {
        if (waitFor != null) {
            return waitFor;
        }
        return onBusy == OnBusy.WAIT ? longest : Duration.ZERO;
    }
}
