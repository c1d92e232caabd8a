package dev.holdfast;

import dev.holdfast.internal.time.Durations;
import dev.holdfast.node.NodeOptions;
import java.time.Duration;

/** The settings of a client, as {@link HoldfastBuilder} describes them. */
record HoldfastSettings(
        String keyPrefix, LockOptions options, NodeOptions nodeOptions, Duration waiterTtl, Duration fenceRetention) {

    void requireFitting(Duration ttl) {
        Duration timeout = nodeOptions.timeout();
        if (timeout != null && timeout.multipliedBy(2).compareTo(ttl) > 0) {
            throw new IllegalArgumentException("ttl is " + Durations.text(ttl)
                    + ", but must be at least twice the node timeout of " + Durations.text(timeout));
        }
        requireRemembered("ttl", ttl);
    }

    /** A vote must not outlast the memory of its fence. */
    void requireRemembered(String what, Duration length) {
        if (fenceRetention.compareTo(length) < 0) {
            throw new IllegalArgumentException(what + " is " + Durations.text(length)
                    + ", but must be at most the fenceRetention of " + Durations.text(fenceRetention));
        }
    }
}
