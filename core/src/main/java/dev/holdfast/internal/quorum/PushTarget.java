package dev.holdfast.internal.quorum;

import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Ticket;
import org.jspecify.annotations.Nullable;

/** The receiver of the nodes' pushes about one attempt: the attempt, then the lease that it becomes. Its methods run on any thread. */
public interface PushTarget {

    /** Handles GRANTED: the queue entry at this node has become a vote. */
    void granted(int node, OwnerId owner, long fence, @Nullable LockValue value);

    /** Handles CONTENDED: a request waits behind the vote at this node. */
    void contended(int node, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value);

    /** Handles a connection: the node can be asked, perhaps again. */
    void available(int node);

    /** Checks every deadline, since this client's clocks have stood still and were put forward. */
    default void clockMoved() {}
}
