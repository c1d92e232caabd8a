package dev.holdfast.walk;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;

/** The program whose methods {@link MethodTrace} watches: one acquire of a free lock, after some others that warm the client up. */
final class FreeAcquire {

    private static final int WARM_UP = 20;

    private FreeAcquire() {}

    /** Called right before the acquire that is traced. */
    static void begins() {}

    /** Called right after it. */
    static void ends() {}

    /** Acquires on the node at {@code args[0]}. */
    public static void main(String[] args) throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect(args[0])) {
            DistributedLock lock = holdfast.lock("orders");
            for (int pair = 0; pair < WARM_UP; pair++) {
                release(lock.tryAcquire());
            }
            begins();
            Acquisition acquired = lock.tryAcquire();
            ends();
            release(acquired);
        }
    }

    private static void release(Acquisition acquired) {
        ((Acquisition.Held) acquired).lease().release();
    }
}
