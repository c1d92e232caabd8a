package dev.holdfast.internal.quorum;

import dev.holdfast.node.Push;

/**
 * The receiver of the nodes' pushes about one set of votes: the attempt, then the lease that it becomes. Its methods run on the serial executor of the votes,
 * and only for pushes about the latest round of a vote that has not been released.
 */
public interface PushTarget {

    /** Handles a push from this node: the queue entry has become a vote, or a request waits behind the vote. */
    void pushed(int node, Push push);

    /** Handles a node that has become available for requests, for the first time or again. */
    default void available(int node) {}

    /** Checks every deadline, since this client's clocks stood still and were put forward. */
    void clockMoved();
}
