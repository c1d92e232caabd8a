package dev.holdfast.server.view;

import dev.holdfast.server.event.Event;
import dev.holdfast.server.lease.Owners;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Why a lock needs an operator's attention, and how urgently. Candidates that stand by in an election's queue are no reason.
 *
 * @param reason the most urgent reason
 * @param weight compares locks with the same reason; the larger is more urgent
 */
record Attention(Reason reason, double weight) {

    /** How many times the usual hold a client waits before its wait is long. */
    static final double LONG_WAIT = 2;

    /** The part of the ttl that is left when a lease is about to expire; clients extend when two thirds are left. */
    static final double LITTLE_LEFT = 0.25;

    static final Comparator<Attention> MOST_URGENT_FIRST = Comparator.<Attention, Reason>comparing(
                    attention -> attention.reason())
            .thenComparing(Comparator.comparingDouble(Attention::weight).reversed());

    /** A reason, the most urgent first. */
    enum Reason {
        /** A lease was lost in the last five minutes, before its ttl ended. */
        LOST,
        /** An operator broke a lease in the last five minutes. */
        BROKEN,
        /** A lease expired in the last five minutes without an extension. */
        EXPIRED,
        /** There are votes, but no majority. */
        UNCERTAIN,
        /** The lock's holder waits, over other locks too, for a client that waits for this lock: a possible deadlock. */
        CIRCLE,
        /** Less than a quarter of the lease's ttl is left, so its client has missed an extension. */
        EXPIRING,
        /** A client waits more than twice as long as clients usually hold this lock. */
        LONG_WAIT,
        /** Clients wait for the lock. */
        CONTENDED,
        /** There is no reason. */
        NONE;

        /** Returns whether the reason is a lease that ended before its client released it. */
        boolean isLoss() {
            return this == LOST || this == BROKEN || this == EXPIRED;
        }
    }

    /**
     * The facts from which the most urgent reason of each lock follows.
     *
     * @param losses the last loss of each lock that had one
     * @param circles the locks that are part of a circle of waits
     * @param ttls the ttls of owners that this server does not serve, as far as it has seen them
     */
    record Facts(
            Map<String, Event> losses, Set<String> circles, Holds holds, Owners owners, SeenTtls ttls, long nowMillis)
            implements Function<LockRow, Attention> {

        @Override
        public Attention apply(LockRow row) {
            Event loss = losses.get(row.lock());
            if (loss != null) {
                return new Attention(reason(loss), loss.atMillis());
            }
            if (row.state() == LockRow.State.UNDECIDED || row.state() == LockRow.State.UNKNOWN) {
                return new Attention(Reason.UNCERTAIN, 0);
            }
            return circles.contains(row.lock()) ? new Attention(Reason.CIRCLE, 0) : ofCertain(row);
        }

        private Attention ofCertain(LockRow row) {
            double left = partLeft(row, owners, ttls);
            if (left < LITTLE_LEFT) {
                return new Attention(Reason.EXPIRING, 1 - left);
            }
            if (row.waiting() == 0 || row.kind() == LockKind.ELECTION) {
                return new Attention(Reason.NONE, 0);
            }
            LockRow.Since waits = row.waits();
            long waitedMillis = waits == null ? 0 : Math.max(0, nowMillis - waits.atMillis());
            double usualMillis = holds.of(row.lock()).medianMillis();
            return waitedMillis > LONG_WAIT * usualMillis
                    ? new Attention(Reason.LONG_WAIT, waitedMillis / Math.max(1, usualMillis))
                    : new Attention(Reason.CONTENDED, waitedMillis);
        }
    }

    private static Reason reason(Event loss) {
        return switch (loss.type()) {
            case LOST -> Reason.LOST;
            case BROKEN -> Reason.BROKEN;
            default -> Reason.EXPIRED;
        };
    }

    /** Returns the part of the ttl that is left; 1 if the lock is not held, or has no end. */
    private static double partLeft(LockRow row, Owners owners, SeenTtls ttls) {
        if (row.state() != LockRow.State.HELD || row.holder() == null) {
            return 1;
        }
        Owners.Known known = owners.find(row.holder().owner());
        Duration remaining = row.holder().remaining();
        if (remaining == null) {
            return 1;
        }
        long left = remaining.toMillis();
        long ttl = known != null ? known.ttlMillis() : ttls.seen(row.holder().owner(), left);
        return (double) left / Math.max(1, ttl);
    }
}
