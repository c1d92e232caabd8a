package dev.holdfast.testkit.sim;

/** When the work of a lock was declared done, as it really was. Watches {@link Promise#DONE_ONCE}. */
final class Seals {

    private final Schedule schedule;
    private long forgotNanos = Long.MIN_VALUE;
    private long closedUntilNanos = Long.MIN_VALUE;
    private long confirmedNanos = Long.MIN_VALUE;
    private boolean keptByAll;

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

    /** By the slowest clock of a node. */
    private long shortestNanos() {
        return schedule.scenario().sealMillis() * 980_000;
    }

    boolean isOlderThan(long nanos) {
        return confirmedNanos < nanos;
    }

    /** All nodes have been told of the last one that was confirmed. */
    void areKeptByAll() {
        keptByAll = true;
    }

    /** One node has lost its memory, and all others are as they were. */
    void isForgottenByOne() {
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
        if (schedule.nanos() < closedUntilNanos) {
            schedule.broken(Promise.DONE_ONCE, turn + " was granted though the work is done");
        }
    }
}
