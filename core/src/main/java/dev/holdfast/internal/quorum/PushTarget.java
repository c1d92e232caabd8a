package dev.holdfast.internal.quorum;

import dev.holdfast.node.Push;

/**
 * The receiver of the nodes' pushes about one set of votes: the attempt, then the lease that it becomes. Its methods run on the serial executor of the votes,
 * and only for pushes about the latest round of a vote that is not released.
 */
public interface PushTarget {

    /** Handles a push of this node: the queue entry has become a vote, or a request waits behind the vote. */
    void pushed(int node, Push push);

    /** Handles a connection: the node can be asked, perhaps again. */
    default void available(int node) {}

    /** Checks every deadline, since this client's clocks have stood still and were put forward. */
    void clockMoved();
}
