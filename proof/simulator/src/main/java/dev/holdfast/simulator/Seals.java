package dev.holdfast.simulator;

import dev.holdfast.lock.SealedWork;
import java.util.Objects;

/** The true times at which the work of a lock was declared done. Watches {@link Promise#DONE_ONCE}. */
final class Seals {

    private static final long SHORTEST_MILLI_NANOS = 980_000;
    private static final long LONGEST_WAY_MILLIS = 600;

    private final Schedule schedule;
    private long forgotNanos = Long.MIN_VALUE;
    private long closedUntilNanos = Long.MIN_VALUE;
    private long confirmedNanos = Long.MIN_VALUE;
    private boolean keptByAll;
    private long foundNanos = Long.MAX_VALUE;
    private long foundUntilNanos = Long.MIN_VALUE;

    Seals(Schedule schedule) {
        this.schedule = schedule;
    }

    /**
     * Notes a seal that a client declared at that time, and that was confirmed in time. If a node has lost its state since, it is
     * unknown whether that node had confirmed the seal.
     */
    void confirmed(long saidNanos) {
        schedule.count(Count.SEALS);
        confirmedNanos = schedule.nanos();
        keptByAll = false;
        if (saidNanos > forgotNanos) {
            closedUntilNanos = Math.max(closedUntilNanos, saidNanos + shortestNanos());
        }
    }

    /** Notes that a node reported this seal to a client, which treats the work as done: no attempt that begins later may acquire the lock. */
    void found(SealedWork seal) {
        long remainingMillis = Objects.requireNonNull(seal.remaining()).toMillis();
        long shortest = (remainingMillis - LONGEST_WAY_MILLIS) * SHORTEST_MILLI_NANOS;
        if (foundUntilNanos < schedule.nanos()) {
            foundNanos = schedule.nanos();
        }
        foundUntilNanos = Math.max(foundUntilNanos, schedule.nanos() + shortest);
    }

    /** Returns the shortest duration of a seal, in true time, if a node's clock runs as fast as it may. */
    private long shortestNanos() {
        return schedule.scenario().sealMillis() * SHORTEST_MILLI_NANOS;
    }

    boolean isOlderThan(long nanos) {
        return confirmedNanos < nanos;
    }

    /** Notes that all nodes have received the last confirmed seal. */
    void areKeptByAll() {
        keptByAll = true;
    }

    /** Notes that one node has lost its state, and all others are unchanged. */
    void forgottenByOne() {
        if (!keptByAll) {
            mayBeForgotten();
        }
        keptByAll = false;
    }

    /** Notes that a node has lost its state, or a part of it. */
    void mayBeForgotten() {
        forgotNanos = schedule.nanos();
        closedUntilNanos = Long.MIN_VALUE;
    }

    void granted(Turn turn) {
        boolean beganLater =
                turn.owner != null && turn.owner.beganAfter(foundNanos) && schedule.nanos() < foundUntilNanos;
        if (beganLater || schedule.nanos() < closedUntilNanos) {
            schedule.broken(Promise.DONE_ONCE, turn + " was granted though the work is done");
        }
    }
}
