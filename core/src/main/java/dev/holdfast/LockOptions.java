package dev.holdfast;

import dev.holdfast.internal.lease.LeaseSettings;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Waiting;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The settings of a lock, as {@link dev.holdfast.lock.DistributedLock} describes them. */
record LockOptions(
        LockMode mode,
        Duration ttl,
        LeaseSettings lease,
        @Nullable Consumer<Waiting> observer) {

    static LockOptions defaults(Duration ttl) {
        return new LockOptions(LockMode.EX, ttl, LeaseSettings.DEFAULTS, null);
    }

    LockOptions withMode(LockMode changed) {
        return new LockOptions(changed, ttl, lease, observer);
    }

    LockOptions withTtl(Duration changed) {
        return new LockOptions(mode, changed, lease, observer);
    }

    LockOptions withLease(UnaryOperator<LeaseSettings> change) {
        return new LockOptions(mode, ttl, change.apply(lease), observer);
    }

    LockOptions withObserver(Consumer<Waiting> changed) {
        return new LockOptions(mode, ttl, lease, changed);
    }
}
