package dev.holdfast.node;

import dev.holdfast.time.Timing;
import java.util.function.LongUnaryOperator;

/**
 * The client and its settings, for a node that it opens.
 *
 * @param client the client part of the owner ids in all requests: the address of pushes
 * @param listener receives pushes and connection changes
 * @param options the options for connecting
 * @param timing clocks, timers, randomness
 * @param times how long the node remembers what, and is quarantined
 * @param nodes how many nodes the client has; the fences of an only node follow its clock (PROTOCOL §5)
 */
public record NodeContext(
        String client, NodeListener listener, NodeOptions options, Timing timing, Times times, int nodes) {

    /**
     * The client's times that concern a node.
     *
     * @param quarantineMillis how long a node that may have lost state is quarantined for a request (PROTOCOL §5), from the request's ttl in
     *     milliseconds; 0 switches quarantine off
     * @param fenceRetentionMillis how long a node remembers a fence after its last use
     * @param ttlMillis the client's default ttl, by which a node's status counts quarantine
     */
    public record Times(LongUnaryOperator quarantineMillis, long fenceRetentionMillis, long ttlMillis) {}
}
