package dev.holdfast.redis.script;

import dev.holdfast.internal.time.Trust;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Whether a lock will be found alone, so that nobody but the asker has anything to do with it, by what the server has said of it and of other locks. Of a
 * lock that is alone little has to be asked; where that turns out to be wrong, it is asked twice. Thread-safe.
 *
 * <p>A lock that was not alone is taken to be so again after it was found alone {@value #TURNS} times. Locks share what is remembered of them if their names' hashes meet:
 * a wrong forecast costs time and nothing else.
 */
final class Forecast {

    /** How often a lock that was not alone has to be found alone. */
    static final int TURNS = 8;

    private static final int PLACES = 1 << 10;

    private final AtomicIntegerArray turnsLeft = new AtomicIntegerArray(PLACES);
    private final Trust freedom = new Trust();

    /** For who is about to ask for it: others may hold it, and may always do, each time for another lock. */
    boolean willBeFree(String lock) {
        return willBeAlone(lock) && freedom.isWorthIt();
    }

    /** For who holds it. */
    boolean willBeAlone(String lock) {
        return turnsLeft.getPlain(place(lock)) == 0;
    }

    /** Who asked for it found it so. */
    void found(String lock, boolean alone) {
        if (!alone) {
            freedom.failed();
            isNotAlone(lock);
            return;
        }
        freedom.paid();
        int place = place(lock);
        int left = turnsLeft.getPlain(place);
        if (left > 0) {
            turnsLeft.compareAndSet(place, left, left - 1);
        }
    }

    /** Others have to do with it. */
    void isNotAlone(String lock) {
        turnsLeft.setOpaque(place(lock), TURNS);
    }

    private static int place(String lock) {
        int hash = lock.hashCode();
        return (hash ^ (hash >>> 16) ^ (hash >>> 8)) & (PLACES - 1);
    }
}
