package dev.holdfast.simulator;

import dev.holdfast.lock.SealedWork;
import java.util.Objects;

/** When the work of a lock was declared done, as it really was. Watches {@link Promise#DONE_ONCE}. */
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

    /** Said at that time, and confirmed in time; of a node that has lost its memory since nobody knows whether it was one of those that did. */
    void confirmed(long saidNanos) {
        schedule.count(Count.SEALS);
        confirmedNanos = schedule.nanos();
        keptByAll = false;
        if (saidNanos > forgotNanos) {
            closedUntilNanos = Math.max(closedUntilNanos, saidNanos + shortestNanos());
        }
    }

    /** A node reported this seal to a client, which treats the work as done: no attempt that begins later may acquire the lock. */
    void found(SealedWork seal) {
        long remainingMillis = Objects.requireNonNull(seal.remaining()).toMillis();
        long shortest = (remainingMillis - LONGEST_WAY_MILLIS) * SHORTEST_MILLI_NANOS;
        if (foundUntilNanos < schedule.nanos()) {
            foundNanos = schedule.nanos();
        }
        foundUntilNanos = Math.max(foundUntilNanos, schedule.nanos() + shortest);
    }

    /** By the slowest clock of a node. */
    private long shortestNanos() {
        return schedule.scenario().sealMillis() * SHORTEST_MILLI_NANOS;
    }

    boolean isOlderThan(long nanos) {
        return confirmedNanos < nanos;
    }

    /** All nodes have been told of the last one that was confirmed. */
    void areKeptByAll() {
        keptByAll = true;
    }

    /** One node has lost its memory, and all others are as they were. */
    void forgottenByOne() {
        if (!keptByAll) {
            mayBeForgotten();
        }
        keptByAll = false;
    }

    /** A node has lost its memory, or a part of it. */
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
