package dev.holdfast;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The settings of a lock, as {@link DistributedLock} describes them. */
record LockOptions(
        LockMode mode,
        Duration ttl,
        boolean autoExtend,
        @Nullable Duration maxHold,
        @Nullable Consumer<Waiting> observer) {

    LockOptions withMode(LockMode changed) {
        return new LockOptions(changed, ttl, autoExtend, maxHold, observer);
    }

    LockOptions withTtl(Duration changed) {
        return new LockOptions(mode, changed, autoExtend, maxHold, observer);
    }

    LockOptions withAutoExtend(boolean changed) {
        return new LockOptions(mode, ttl, changed, maxHold, observer);
    }

    LockOptions withMaxHold(Duration changed) {
        return new LockOptions(mode, ttl, autoExtend, changed, observer);
    }

    LockOptions withObserver(Consumer<Waiting> changed) {
        return new LockOptions(mode, ttl, autoExtend, maxHold, changed);
    }
}
