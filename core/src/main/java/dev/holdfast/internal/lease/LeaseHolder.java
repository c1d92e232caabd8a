package dev.holdfast.internal.lease;

import dev.holdfast.lock.AtRisk;
import dev.holdfast.lock.Loss;
import dev.holdfast.node.Ticket;
import dev.holdfast.time.Moment;

/** The holder of a {@link QuorumLease}, as the lease sees it. Called only on the lease's serial executor. */
interface LeaseHolder {

    /** The fencing token of this holder. */
    long fencingToken();

    /** How long this holder may have the lease, however long the votes last; {@link Long#MAX_VALUE} without a limit. */
    long maxHoldNanos(Moment now);

    void notifyAtRisk(AtRisk event);

    /** The lease has been extended, and is no longer at risk. */
    void clearRisk();

    /** The lease lasts longer than before. */
    void notifyExtended(Moment now);

    void notifyContended(Ticket waiter);

    /** A majority has confirmed the value that this holder wrote. */
    void confirmValue(String text);

    /** Ends the hold because the lease is lost. {@link #notifyLost} follows, once the votes are being released. */
    void endLost();

    void notifyLost(Loss event);
}
