package dev.holdfast.redis.script;

import dev.holdfast.node.OwnerId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * A record, for one connection, of uncontended locks. It decides which requests use the scripts with few keys. It also decides which of
 * these requests are re-sent to the scripts with all keys because the lock turned out to be contended. Thread-safe.
 *
 * <p>A re-sent ACQUIRE must never follow the RELEASE of its owner, which may have been sent by then. A node executes the requests of one
 * connection in order, and the protocol relies on that order (PROTOCOL §3).
 */
public final class AloneLocks {

    /** How many times in a row a contended lock must be found uncontended before it is expected to be uncontended. */
    static final int CONTENDED_FOR = 8;

    private static final int PLACES = 1 << 10;

    /** The counts by the hash of a lock's name, 0 for uncontended. Locks may share a hash: a wrong expectation only costs a second request. */
    private final AtomicIntegerArray contendedFor = new AtomicIntegerArray(PLACES);

    /** Requests that acquire-alone.lua has not answered yet, or that are being re-sent to acquire.lua. */
    private final Map<OwnerId, AcquireCall> underWay = new ConcurrentHashMap<>();

    /** Returns the request to send: by the script with few keys if the lock is expected to be uncontended. */
    public AcquireCall asSent(AcquireCall call) {
        if (call.isForANewVote() && isExpected(call.resource())) {
            AcquireCall alone = call.asAlone();
            if (underWay.putIfAbsent(alone.request().owner(), alone) == null) {
                return alone;
            }
        }
        return call;
    }

    /** Returns the request to send: by the script with few keys if the lock is expected to be uncontended. */
    public ReleaseCall asSent(ReleaseCall call) {
        OwnerId owner = call.request().owner();
        AcquireCall asked = underWay.get(owner);
        if (asked != null && (!asked.alone() || !underWay.remove(owner, asked))) {
            AcquireCall again = underWay.get(owner);
            if (again != null) { // the order of the two requests is unknown, so the release leaves a tombstone
                return call.burying(again.request().ttlMillis());
            }
        }
        return call.isPlain() && isExpected(call.resource()) ? call.asAlone() : call;
    }

    /** Returns the request to re-send to acquire.lua; null if the owner has already released it. */
    @Nullable
    AcquireCall askAgain(AcquireCall alone) {
        AcquireCall again = alone.asAmongOthers();
        return underWay.replace(alone.request().owner(), alone, again) ? again : null;
    }

    /** Forgets a request that has been answered or re-sent. */
    void remove(AcquireCall alone) {
        underWay.remove(alone.request().owner());
    }

    private boolean isExpected(String lock) {
        return contendedFor.getPlain(place(lock)) == 0;
    }

    /** Records how a request for a new vote found the lock. */
    void found(String lock, boolean uncontended) {
        int place = place(lock);
        int left = contendedFor.getPlain(place);
        if (!uncontended) {
            markContended(lock);
        } else if (left > 0) {
            contendedFor.compareAndSet(place, left, left - 1);
        }
    }

    /** Records that the lock is contended. */
    public void markContended(String lock) {
        contendedFor.setOpaque(place(lock), CONTENDED_FOR);
    }

    private static int place(String lock) {
        int hash = lock.hashCode();
        return (hash ^ (hash >>> 16) ^ (hash >>> 8)) & (PLACES - 1);
    }

    /** Returns how many requests may still be re-sent. */
    int underWay() {
        return underWay.size();
    }
}
