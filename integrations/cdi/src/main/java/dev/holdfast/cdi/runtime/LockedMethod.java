package dev.holdfast.cdi.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.OnBusy;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.locked.CallTerms;
import dev.holdfast.locked.LossEffect;
import dev.holdfast.locked.MajorityWarning;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A locked method, ready for calls.
 *
 * @param shape the method
 * @param settings its settings as in the annotation
 * @param name the name of the lock, or the part before the key, without expressions
 * @param key null if all calls share one lock
 */
record LockedMethod(
        MethodShape shape,
        LockSettings settings,
        String name,
        @Nullable LockKey key,
        Durations durations) {

    private static final System.Logger LOG = System.getLogger(LockedMethod.class.getName());

    /** Returns the lock for a call with these arguments. */
    DistributedLock lock(Holdfast holdfast, @Nullable Object[] arguments) {
        return lock(holdfast, key == null ? name : name + ":" + key.of(arguments));
    }

    /** Checks at the start the settings that the client would otherwise reject at the first call. */
    void rehearse(Holdfast holdfast) {
        lock(holdfast, key == null ? name : name + ":key");
    }

    private DistributedLock lock(Holdfast holdfast, String lockName) {
        try {
            DistributedLock lock = holdfast.lock(lockName).mode(settings.mode());
            lock = durations.ttl() == null ? lock : lock.ttl(durations.ttl());
            lock = durations.maxHold() == null ? lock : lock.maxHold(durations.maxHold());
            return settings.onBusy() == OnBusy.WAIT ? warning(lock) : lock;
        } catch (IllegalArgumentException e) {
            throw new LockedMethodException(
                    shape.text(), "cannot be locked: " + e.getMessage(), "Change the annotation", e);
        }
    }

    private DistributedLock warning(DistributedLock lock) {
        MajorityWarning warning = new MajorityWarning(shape.text(), message -> LOG.log(Level.WARNING, message));
        return lock.onWaiting(lock.options().onWaiting().map(warning::andThen).orElse(warning));
    }

    /** Returns how long a call waits at most; {@code longest} applies to waiting methods without their own limit. */
    Duration waitAtMost(Duration longest) {
        if (durations.waitFor() != null) {
            return durations.waitFor();
        }
        return settings.onBusy() == OnBusy.WAIT ? longest : Duration.ZERO;
    }

    /** Returns the terms of a call. */
    CallTerms terms() {
        return new CallTerms(
                durations.atLeast(), LossEffect.valueOf(settings.onLost().name()));
    }
}
