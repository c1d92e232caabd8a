package dev.holdfast.testkit.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that happened to one lock and to the resource that it protects. */
final class LockHistory {

    private final Map<AttemptId, AttemptHistory> courses = new LinkedHashMap<>();
    private final List<Event.Wrote> writes = new ArrayList<>();
    private final List<Event.Looked> looks = new ArrayList<>();

    void add(Event.OfAttempt event) {
        if (event instanceof Event.Looked looked) {
            looks.add(looked);
            return;
        }
        courses.computeIfAbsent(event.who(), AttemptHistory::new).add(event);
        if (event instanceof Event.Wrote wrote) {
            writes.add(wrote);
        }
    }

    /** Returns the states of the lock that clients saw. */
    List<Event.Looked> looks() {
        return List.copyOf(looks);
    }

    Collection<AttemptHistory> courses() {
        return courses.values();
    }

    AttemptHistory course(Event.OfAttempt event) {
        return courses.computeIfAbsent(event.who(), AttemptHistory::new);
    }

    /** Returns the attempts that held the lock. */
    List<AttemptHistory> held() {
        return courses.values().stream().filter(AttemptHistory::wasHeld).toList();
    }

    /** Returns the writes that a row accepted, in the row's order. */
    List<Event.Wrote> writes(ResourceCopy row) {
        return writes.stream()
                .filter(wrote -> wrote.row() == row)
                .sorted(Comparator.comparingLong(Event.Wrote::version))
                .toList();
    }
}
