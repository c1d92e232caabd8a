package dev.holdfast.simulator;

import dev.holdfast.lock.LockMode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What holders of a lock have left to those who come after, as it really was. Watches {@link Promise#VALUES}. */
final class Values {

    private final Schedule schedule;
    private final List<Write> writes = new ArrayList<>();
    private final Map<LockMode, Write> confirmed = new EnumMap<>(LockMode.class);
    private long forgotNanos = Long.MIN_VALUE;
    private boolean keptByAll;

    /** One value; its text is its place among all that were written. */
    record Write(int place, Turn turn, long begunNanos) {

        boolean isAfter(Write other) {
            return turn.token > other.turn.token || (turn.token == other.turn.token && place > other.place);
        }
    }

    Values(Schedule schedule) {
        this.schedule = schedule;
    }

    Write begin(Turn turn) {
        Write write = new Write(writes.size(), turn, schedule.nanos());
        writes.add(write);
        return write;
    }

    /** A majority keeps it; of a node that has lost its memory since nobody knows whether it was one of them. */
    void confirmed(Write write) {
        schedule.count(Count.VALUES_WRITTEN);
        keptByAll = false;
        if (write.begunNanos > forgotNanos) {
            confirmed.merge(write.turn.mode, write, (old, now) -> now.isAfter(old) ? now : old);
        }
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
        confirmed.clear();
    }

    /** A turn begins, and was told this; empty for nothing. */
    void read(Turn turn, String text) {
        Write told = text.isEmpty() ? null : writes.get(Integer.parseInt(text));
        if (told != null && turn.mode.conflictsWith(told.turn.mode) && told.turn.token > turn.token) {
            schedule.broken(Promise.VALUES, turn + " was told what " + told.turn + " wrote, which came later");
        }
        confirmed.forEach((mode, last) -> {
            boolean kept = schedule.nanos() - last.begunNanos < schedule.fenceRetentionMillis() * 1_000_000 / 2;
            if (kept && mode.conflictsWith(turn.mode) && (told == null || last.isAfter(told))) {
                schedule.broken(Promise.VALUES, turn + " was told '" + text + "' and not what " + last.turn + " wrote");
            }
        });
    }
}
