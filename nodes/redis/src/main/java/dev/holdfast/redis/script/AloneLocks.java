package dev.holdfast.redis.script;

import dev.holdfast.node.OwnerId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Locks that nobody else has anything to do with, as one connection knows them: which requests are sent as if a lock were {@linkplain Forecast one of them},
 * and what of these has to be asked again. Thread-safe.
 *
 * <p>An ACQUIRE that is asked again must not come after the RELEASE of its owner, which may have been sent meanwhile: a node carries out in order what comes by one connection
 * (PROTOCOL §3).
 */
public final class AloneLocks {

    private final Forecast forecast = new Forecast();

    /** By acquire-alone.lua and not answered, or being sent to acquire.lua instead at this moment. */
    private final Map<OwnerId, AcquireCall> underWay = new ConcurrentHashMap<>();

    /** As this request is to be sent. */
    public AcquireCall asSent(AcquireCall call) {
        if (call.isForANewVote() && forecast.willBeFree(call.resource())) {
            AcquireCall alone = call.asAlone();
            if (underWay.putIfAbsent(alone.request().owner(), alone) == null) {
                return alone;
            }
        }
        return call;
    }

    /** As this request is to be sent. */
    public ReleaseCall asSent(ReleaseCall call) {
        OwnerId owner = call.request().owner();
        AcquireCall asked = underWay.get(owner);
        if (asked != null && (!asked.alone() || !underWay.remove(owner, asked))) {
            AcquireCall again = underWay.get(owner);
            if (again != null) { // which of the two will be sent first nobody knows
                return call.burying(again.request().ttlMillis());
            }
        }
        return call.isPlain() && forecast.willBeAlone(call.resource()) ? call.asAlone() : call;
    }

    /** What is to be sent in the place of a request by acquire-alone.lua that was not answered; null if its owner has given back meanwhile what it asks for. */
    @Nullable
    AcquireCall askAgain(AcquireCall alone) {
        AcquireCall again = alone.asAmongOthers();
        return underWay.replace(alone.request().owner(), alone, again) ? again : null;
    }

    /** It is answered, or sent again. */
    void isOver(AcquireCall alone) {
        underWay.remove(alone.request().owner());
    }

    /** Whether who asked for it found nobody else there. */
    void found(String lock, boolean alone) {
        forecast.found(lock, alone);
    }

    /** Others have to do with it. */
    public void isNotAlone(String lock) {
        forecast.isNotAlone(lock);
    }

    /** How many of its requests are under way. */
    int underWay() {
        return underWay.size();
    }
}
