package dev.holdfast.internal.quorum;

import dev.holdfast.node.LockValue;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * A majority of votes that bear one fence, from which a lease is created.
 *
 * @param votes the votes; late answers to the attempt still reach them
 * @param fence the fence that a majority bears, 0 in mode NL; the lease owns the tokens {@code fence - tokens + 1 .. fence}
 * @param validity until when a majority of the votes lasts, less drift
 * @param isShort whether votes of that majority came from a queue; their first life is short, so the lease must be extended early
 * @param value the latest of the values that nodes returned with these votes; null if there is none
 * @param acquired when the majority was complete
 */
public record Grant(
        VoteSet votes,
        long fence,
        Deadline validity,
        boolean isShort,
        @Nullable LockValue value,
        Moment acquired) {}
