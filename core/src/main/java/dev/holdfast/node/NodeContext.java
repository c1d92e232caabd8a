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
 * @param times how long the node remembers fences, and how long it is quarantined
 * @param nodes how many nodes the client has; the fences of a single node follow its clock (PROTOCOL §5)
 */
public record NodeContext(
        String client, NodeListener listener, NodeOptions options, Timing timing, Times times, int nodes) {

    /**
     * The client's times that concern a node.
     *
     * @param quarantineMillis returns how long a node that may have lost state is quarantined for a request with this ttl (PROTOCOL §5), both in
     *     milliseconds; 0 switches quarantine off
     * @param fenceRetentionMillis how long a node remembers a fence after its last use
     * @param ttlMillis the client's default ttl, for which a node's status reports the quarantine
     */
    public record Times(LongUnaryOperator quarantineMillis, long fenceRetentionMillis, long ttlMillis) {}
}
