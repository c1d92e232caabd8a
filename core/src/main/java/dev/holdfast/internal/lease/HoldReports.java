package dev.holdfast.internal.lease;

import dev.holdfast.lock.Loss;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.time.Moment;
import java.time.Duration;

/** The reports to the client's observer about the end of one hold. */
final class HoldReports {

    private HoldReports() {}

    static void end(LeaseObserver observer, LeaseEnd.How how, Moment since, Moment now, long leftNanos) {
        if (observer != LeaseObserver.NONE) {
            Duration held = Duration.ofNanos(since.nanosUntil(now));
            observer.ended(new LeaseEnd(how, held, Duration.ofNanos(Math.max(leftNanos, 0))));
        }
    }

    /** Returns the loss of a lease that expired before its holder released it. */
    static Loss overdue(String name, boolean tooLong) {
        Loss.Reason reason = tooLong ? Loss.Reason.MAX_HOLD : Loss.Reason.EXPIRED;
        return new Loss(name, reason, "it had ended before it was released");
    }
}
