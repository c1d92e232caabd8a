package dev.holdfast.internal.lease;

import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.Loss;
import dev.holdfast.node.Ticket;
import dev.holdfast.time.Moment;

/** The holder of a {@link QuorumLease}, as the lease sees it. Called only on the lease's serial executor. */
interface LeaseHolder {

    /** Returns the fencing token of this holder. */
    long fencingToken();

    /** Returns how long this holder may hold the lease, however long the votes last; {@link Long#MAX_VALUE} without a limit. */
    long maxHoldNanos(Moment now);

    void notifyAtRisk(AtRisk event);

    /** Clears the risk, because the lease has been extended. */
    void clearRisk();

    /** Notifies the holder that the lease lasts longer than before. */
    void notifyExtended(Moment now);

    void notifyContended(Ticket waiter);

    /** Confirms the value that this holder wrote: a majority has it. */
    void confirmValue(String text);

    /** Ends the hold because the lease is lost. {@link #notifyLost} follows once the release of the votes has begun. */
    void endLost();

    void notifyLost(Loss event);
}
