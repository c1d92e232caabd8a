package dev.holdfast.simulator;

import dev.holdfast.lock.LockMode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The true values that the holders of a lock have left to later holders. Watches {@link Promise#VALUES}. */
final class Values {

    private final Schedule schedule;
    private final List<Write> writes = new ArrayList<>();
    private final Map<LockMode, Write> confirmed = new EnumMap<>(LockMode.class);
    private long forgotNanos = Long.MIN_VALUE;
    private boolean keptByAll;

    /** One value; its text is its position among all values that were written. */
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

    /** Notes that a majority keeps the value. If a node has lost its state since, it is unknown whether that node belonged to the majority. */
    void confirmed(Write write) {
        schedule.count(Count.VALUES_WRITTEN);
        keptByAll = false;
        if (write.begunNanos > forgotNanos) {
            confirmed.merge(write.turn.mode, write, (old, now) -> now.isAfter(old) ? now : old);
        }
    }

    /** Notes that all nodes have received the last confirmed value. */
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
        confirmed.clear();
    }

    /** Notes the value that a turn received when it began; empty for none. */
    void read(Turn turn, String text) {
        Write seen = text.isEmpty() ? null : writes.get(Integer.parseInt(text));
        if (seen != null && turn.mode.conflictsWith(seen.turn.mode) && seen.turn.token > turn.token) {
            schedule.broken(Promise.VALUES, turn + " read the value that " + seen.turn + " wrote, which came later");
        }
        confirmed.forEach((mode, last) -> {
            boolean kept = schedule.nanos() - last.begunNanos < schedule.fenceRetentionMillis() * 1_000_000 / 2;
            if (kept && mode.conflictsWith(turn.mode) && (seen == null || last.isAfter(seen))) {
                schedule.broken(
                        Promise.VALUES,
                        turn + " read '" + text + "' instead of the value that " + last.turn + " wrote");
            }
        });
    }
}
