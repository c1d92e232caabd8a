package dev.holdfast;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.node.NodeOptions;
import java.time.Duration;

/** The settings of a client, as {@link HoldfastBuilder} describes them. */
record HoldfastSettings(String keyPrefix, LockOptions options, NodeOptions nodeOptions, Duration fenceRetention) {

    private static final long SHORTEST_NODE_TIMEOUT_NANOS = 5_000_000;
    private static final long LONGEST_NODE_TIMEOUT_NANOS = 500_000_000;

    void requireFitting(Duration ttl) {
        Duration timeout = nodeOptions.timeout();
        if (timeout != null && timeout.multipliedBy(2).compareTo(ttl) > 0) {
            throw new IllegalArgumentException("ttl is " + DurationText.exact(ttl)
                    + ", but must be at least twice the node timeout of " + DurationText.exact(timeout));
        }
        requireRemembered("ttl", ttl);
    }

    /** Requires a duration of at most the fence retention, because a vote must not outlast its remembered fence. */
    void requireRemembered(String what, Duration length) {
        if (fenceRetention.compareTo(length) < 0) {
            throw new IllegalArgumentException(what + " is " + DurationText.exact(length)
                    + ", but must be at most the fenceRetention of " + DurationText.exact(fenceRetention));
        }
    }

    /** Returns the longest time of one request to one node: the configured timeout, or else a twentieth of the ttl, within limits. */
    long nodeTimeoutNanos(Duration ttl) {
        Duration configured = nodeOptions.timeout();
        return configured != null
                ? configured.toNanos()
                : Math.min(Math.max(ttl.toNanos() / 20, SHORTEST_NODE_TIMEOUT_NANOS), LONGEST_NODE_TIMEOUT_NANOS);
    }
}
