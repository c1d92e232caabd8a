package dev.holdfast.junit;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;

/** The entry point for assertions about locks: {@code assertThatLock(holdfast, "orders:42").isFree()}. */
public final class LockAssertions {

    private LockAssertions() {}

    /** Creates assertions about a lock by name. Each assertion reads the lock's status from the nodes of this client again. */
    public static LockAssert assertThatLock(Holdfast holdfast, String name) {
        return new LockAssert(holdfast.lock(name));
    }

    /** Creates assertions about a lock. Each assertion reads the lock's status from the nodes again. */
    public static LockAssert assertThatLock(DistributedLock lock) {
        return new LockAssert(lock);
    }
}
