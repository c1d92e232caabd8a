package dev.holdfast.internal.quorum;

import dev.holdfast.node.LockValue;
import dev.holdfast.node.Seal;
import dev.holdfast.time.Moment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What nodes are known to keep of a lock beyond its votes: which value each of them keeps, and whether one of them has told a seal. An attempt
 * learns it, and the lease that it becomes writes back what a node lacks (PROTOCOL §4, "Write back"). Accessed only on their serial executor.
 *
 * <p>It may know less than is true, which costs a few bytes. It must forget what it knows of a node that may have restarted.
 */
public final class Kept {

    private final int nodes;
    private @Nullable LockValue @Nullable []
            values; // null as long as no node is known to keep one: most locks have none
    private @Nullable Seal seal;
    private @Nullable Moment sealAsked;

    Kept(int nodes) {
        this.nodes = nodes;
    }

    /** The node keeps this value, or none. */
    public void told(int node, @Nullable LockValue value) {
        if (values == null) {
            if (value == null) {
                return;
            }
            values = new LockValue[nodes];
        }
        values[node] = value;
    }

    /** Nothing is known of the node: it may have lost its memory. */
    public void forget(int node) {
        told(node, null);
    }

    /** Whether the node is known to keep this value, or a later one. */
    boolean keeps(int node, LockValue value) {
        return values != null && !value.isLaterThan(values[node]);
    }

    /** A node has told this seal, in the answer to a request that was sent at that time. The first one stays. */
    void sealed(Seal told, Moment asked) {
        if (seal == null) {
            seal = told;
            sealAsked = asked;
        }
    }

    /** The seal that a node has told, as it is at that time; null if there is none, or it has ended. */
    @Nullable
    Seal seal(Moment now) {
        return seal == null || sealAsked == null ? null : aged(seal, sealAsked, now);
    }

    /**
     * A seal from the answer to a request that was sent at one time, as it is reported at a later one. The answer may have been under way all that
     * time, so what remains is counted from the request, and may be over.
     */
    static Seal reported(Seal seal, Moment sent, Moment now) {
        Seal aged = seal.remainingMillis() < 0 ? seal : aged(seal, sent, now);
        return aged != null ? aged : new Seal(seal.by(), seal.agoMillis(), 0);
    }

    /**
     * A seal that was true at one time, as it is at a later one; null if it has ended. Counted by the monotonic clock: a wall clock that is set
     * forward must not end what was declared done.
     */
    static @Nullable Seal aged(Seal seal, Moment from, Moment now) {
        return seal.after(TimeUnit.NANOSECONDS.toMillis(Math.max(now.nanos() - from.nanos(), 0)));
    }
}
