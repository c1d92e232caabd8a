package dev.holdfast.internal.quorum;

import dev.holdfast.node.LockValue;
import dev.holdfast.node.Ticket;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * A majority of votes that bear one fence: what a lease is made of.
 *
 * @param ballot what was asked for, and who the lease is at each node
 * @param fence the fence that a majority bears, 0 in mode NL; the lease owns the tokens {@code fence - tokens + 1 .. fence}
 * @param validity until when a majority of the votes lasts, less drift
 * @param isShort whether votes that it stands on came from a queue, whose first life is short: to be extended early
 * @param contender the earliest request that is known to wait behind these votes, if any
 * @param value the latest of the values that these votes were told with; null if there is none
 * @param kept which nodes are known to keep that value, and whether one has told a seal; late answers to the attempt are still told to it
 * @param acquired when the majority was complete
 */
public record Grant(
        Ballot ballot,
        long fence,
        Deadline validity,
        boolean isShort,
        @Nullable Ticket contender,
        @Nullable LockValue value,
        Kept kept,
        Moment acquired) {}
