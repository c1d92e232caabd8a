package dev.holdfast.testkit.history;

import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.history.Finding.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The checks of what the nodes confirmed: no grant, release or value may be missing later. Tokens order the leases that
 * exclude each other, and numbers order the writes under one lease. So the only order in which the operations of a lock
 * can have happened is known, and the checks compare each answer with it.
 */
final class MemoryChecks {

    private MemoryChecks() {}

    /** The position of a write in the order of all writes. */
    private record Position(long token, long number) implements Comparable<Position> {
        @Override
        public int compareTo(Position other) {
            return Comparator.comparingLong(Position::token)
                    .thenComparingLong(Position::number)
                    .compare(this, other);
        }
    }

    /**
     * Runs check 9 for values: a holder finds the last confirmed value of an earlier holder, or one that was begun after it. Before the first confirmation, it may
     * find a value from before the history, which the token tells apart.
     */
    static void values(LockHistory lock, Consumer<Finding> found) {
        Map<Position, Event.Writing> begun = new HashMap<>();
        TreeMap<Position, Event.Written> confirmed = new TreeMap<>();
        for (AttemptHistory course : lock.held()) {
            course.writing.forEach(one -> begun.put(new Position(course.token(), one.number()), one));
            course.written.forEach(one -> confirmed.put(new Position(course.token(), one.number()), one));
        }
        long first = lock.held().stream()
                .mapToLong(AttemptHistory::token)
                .filter(token -> token > 0)
                .min()
                .orElse(0);
        for (AttemptHistory course : lock.held()) {
            Event.Read read = course.read;
            if (read == null || !course.mode().conflictsWith(LockMode.PW)) {
                continue;
            }
            Position seen = new Position(read.token(), read.number());
            Map.Entry<Position, Event.Written> last = confirmed.lowerEntry(new Position(course.token(), 0));
            if (last != null && seen.compareTo(last.getKey()) < 0) {
                String text = course.who + " found the value " + seen + " after " + last.getKey() + " was confirmed";
                found.accept(Finding.of(Kind.VALUE_LOST, text, last.getValue(), read));
            } else if (seen.token() >= course.token() || (seen.token() >= first && !begun.containsKey(seen))) {
                String text = course.who + " found the value " + seen + ", which no earlier holder wrote";
                found.accept(Finding.of(Kind.VALUE_LOST, text, read));
            }
        }
    }

    /** Runs check 9 for grants: the nodes keep each lease until its deadline. */
    static void grants(LockHistory lock, Consumer<Finding> found) {
        for (AttemptHistory course : lock.held()) {
            Event.Taken taken = course.taken;
            if (taken != null && course.deadlineBefore(taken.nanos()) > taken.nanos()) {
                String text = course.who + " lost its lease "
                        + LeaseChecks.millis(course.deadlineBefore(taken.nanos()) - taken.nanos())
                        + " before its deadline";
                found.accept(Finding.of(Kind.GRANT_LOST, text, Objects.requireNonNull(course.got), taken));
            }
        }
    }

    /** Runs check 9 for the states that clients saw: each shows the exclusive lease that lasts, and none that was released before. */
    static void looks(LockHistory lock, Consumer<Finding> found) {
        Map<Long, AttemptHistory> released = new HashMap<>();
        TreeMap<Long, AttemptHistory.Belief> beliefs = new TreeMap<>();
        List<AttemptHistory> exclusive = lock.held().stream()
                .filter(course -> course.mode() == LockMode.EX && course.token() > 0)
                .toList();
        for (AttemptHistory course : exclusive) {
            if (course.released != null) {
                released.put(course.token(), course);
            }
            course.beliefs().forEach(belief -> beliefs.put(belief.from(), belief));
        }
        for (Event.Looked look : lock.looks()) {
            Map.Entry<Long, AttemptHistory.Belief> at = beliefs.floorEntry(look.askedNanos());
            if (at != null
                    && at.getValue().to() > look.nanos()
                    && !look.tokens().contains(at.getValue().course().token())) {
                AttemptHistory course = at.getValue().course();
                String text = course.who + " held the lock, which " + look.who() + " did not see";
                found.accept(Finding.of(Kind.GRANT_LOST, text, Objects.requireNonNull(course.got), look));
            }
            for (long token : look.tokens()) {
                AttemptHistory course = released.get(token);
                if (course != null && Objects.requireNonNull(course.released).nanos() < look.askedNanos()) {
                    String text = look.who() + " saw the lease of " + course.who + " after its release";
                    found.accept(Finding.of(Kind.RELEASE_LOST, text, Objects.requireNonNull(course.released), look));
                }
            }
        }
    }
}
