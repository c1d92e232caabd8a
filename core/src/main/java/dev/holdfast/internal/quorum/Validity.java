package dev.holdfast.internal.quorum;

import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The arithmetic of majorities and of time (PROTOCOL §4). */
public final class Validity {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long DRIFT_DIVISOR = 100;
    private static final long DRIFT_NANOS = 2 * NANOS_PER_MILLI;

    private Validity() {}

    /** Returns how many of this many nodes are a majority; any two majorities share a node. */
    public static int majority(int nodes) {
        return nodes / 2 + 1;
    }

    /** Returns by how much clocks may drift apart over a ttl: a hundredth of it and 2 ms (Redis documentation, "Distributed Locks", step 3: clock drift). */
    public static long driftNanos(long ttlNanos) {
        return ttlNanos / DRIFT_DIVISOR + DRIFT_NANOS;
    }

    /** Returns a ttl in whole milliseconds that is valid for at least this long once its drift is deducted; 1 or more. */
    public static long ttlMillis(long validNanos) {
        long validMillis = Math.max(validNanos, 0) / NANOS_PER_MILLI;
        return validMillis + validMillis / (DRIFT_DIVISOR - 1) + DRIFT_NANOS / NANOS_PER_MILLI + 3; // 3 roundings
    }

    /**
     * Returns until when at least {@code majority} of the votes last: the end of the one that lasts the {@code majority}-th longest, less drift.
     *
     * @param votes when each vote ends, counted from its request; at least {@code majority} of them
     */
    static Deadline of(List<Deadline> votes, int majority, long driftNanos, Moment now) {
        List<Deadline> longest = votes;
        if (votes.size() > majority) {
            longest = new ArrayList<>(votes);
            longest.sort(Comparator.comparingLong((Deadline vote) -> vote.remainingNanos(now))
                    .reversed());
        }
        Deadline end = longest.get(0);
        for (int vote = 1; vote < majority; vote++) {
            end = end.sooner(longest.get(vote));
        }
        return end.minusNanos(driftNanos);
    }
}
