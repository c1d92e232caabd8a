package dev.holdfast.junit;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;

/** Where assertions about locks begin: {@code assertThatLock(holdfast, "orders:42").isFree()}. */
public final class LockAssertions {

    private LockAssertions() {}

    /** What the nodes of this client say of a lock, asked anew with each assertion. */
    public static LockAssert assertThatLock(Holdfast holdfast, String name) {
        return new LockAssert(holdfast.lock(name));
    }

    /** What the nodes say of a lock, asked anew with each assertion. */
    public static LockAssert assertThatLock(DistributedLock lock) {
        return new LockAssert(lock);
    }
}
