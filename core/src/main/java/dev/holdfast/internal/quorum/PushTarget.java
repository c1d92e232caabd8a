package dev.holdfast.internal.quorum;

import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Ticket;
import org.jspecify.annotations.Nullable;

/** What the nodes' pushes about one attempt's owner ids are for: the attempt, then the lease that it became. On any thread. */
public interface PushTarget {

    /** GRANTED: the place in the queue at this node has become a vote. */
    void granted(int node, OwnerId owner, long fence, @Nullable LockValue value);

    /** CONTENDED: somebody waits behind the vote at this node. */
    void contended(int node, OwnerId owner, long fence, Ticket waiter, @Nullable LockValue value);

    /** The node has connected, or connected again. */
    void available(int node);

    /** This client's clocks have stood still and were put forward: whatever lasts for a time may be over. */
    default void clockMoved() {}
}
