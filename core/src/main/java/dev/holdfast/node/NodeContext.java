package dev.holdfast.node;

import dev.holdfast.NodeOptions;
import dev.holdfast.time.Timing;
import java.util.function.LongSupplier;

/**
 * What a node is given when it is opened.
 *
 * @param client the client part of all owner ids that will ask: the push address
 * @param listener where pushes and changes of the connection go
 * @param options how to connect
 * @param timing clocks, timers, randomness
 * @param restartQuarantineMillis how long a node that may have lost its memory stays out (PROTOCOL §5), asked whenever it
 *     matters since it follows the longest ttl in use; 0 switches quarantine off
 * @param fenceRetentionMillis how long a node remembers a fence after its last use
 */
public record NodeContext(
        String client,
        NodeListener listener,
        NodeOptions options,
        Timing timing,
        LongSupplier restartQuarantineMillis,
        long fenceRetentionMillis) {}
