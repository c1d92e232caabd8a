package dev.holdfast.testkit.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that happened to one lock and to the resource that it protects. */
final class LockHistory {

    private final Map<Who, Course> courses = new LinkedHashMap<>();
    private final List<Event.Wrote> writes = new ArrayList<>();

    void add(Event.OfAttempt event) {
        courses.computeIfAbsent(event.who(), Course::new).add(event);
        if (event instanceof Event.Wrote wrote) {
            writes.add(wrote);
        }
    }

    Collection<Course> courses() {
        return courses.values();
    }

    Course course(Event.OfAttempt event) {
        return courses.computeIfAbsent(event.who(), Course::new);
    }

    /** Those that were held. */
    List<Course> held() {
        return courses.values().stream().filter(Course::wasHeld).toList();
    }

    /** What a row took, in its own order. */
    List<Event.Wrote> writes(Row row) {
        return writes.stream()
                .filter(wrote -> wrote.row() == row)
                .sorted(Comparator.comparingLong(Event.Wrote::version))
                .toList();
    }
}
