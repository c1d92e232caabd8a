package dev.holdfast;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a lock, as {@link DistributedLock} describes them.
 *
 * @param linger zero if a lease that is released goes back to the nodes at once
 */
record LockOptions(
        LockMode mode,
        Duration ttl,
        boolean autoExtend,
        @Nullable Duration maxHold,
        boolean localHandOver,
        Duration linger,
        @Nullable Consumer<Waiting> observer) {

    static LockOptions defaults(Duration ttl) {
        return new LockOptions(LockMode.EX, ttl, true, null, true, Duration.ZERO, null);
    }

    LockOptions withMode(LockMode changed) {
        return new LockOptions(changed, ttl, autoExtend, maxHold, localHandOver, linger, observer);
    }

    LockOptions withTtl(Duration changed) {
        return new LockOptions(mode, changed, autoExtend, maxHold, localHandOver, linger, observer);
    }

    LockOptions withAutoExtend(boolean changed) {
        return new LockOptions(mode, ttl, changed, maxHold, localHandOver, linger, observer);
    }

    LockOptions withMaxHold(Duration changed) {
        return new LockOptions(mode, ttl, autoExtend, changed, localHandOver, linger, observer);
    }

    LockOptions withLocalHandOver(boolean changed) {
        return new LockOptions(mode, ttl, autoExtend, maxHold, changed, linger, observer);
    }

    LockOptions withLinger(Duration changed) {
        return new LockOptions(mode, ttl, autoExtend, maxHold, localHandOver, changed, observer);
    }

    LockOptions withObserver(Consumer<Waiting> changed) {
        return new LockOptions(mode, ttl, autoExtend, maxHold, localHandOver, linger, changed);
    }
}
