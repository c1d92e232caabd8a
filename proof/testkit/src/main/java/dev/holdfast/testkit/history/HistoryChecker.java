package dev.holdfast.testkit.history;

import dev.holdfast.testkit.history.Finding.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A check of a history against the promises of a lock. It needs time in n log n: tokens and versions give the order, so
 * it searches nothing.
 *
 * <p>It sees only what clients recorded. If a client is stopped between acquiring a lease and recording it, the checker
 * sees neither the lease nor anything that the client did with it.
 */
public final class HistoryChecker {

    private final Map<String, LockHistory> locks = new LinkedHashMap<>();
    private final Set<String> killed = new HashSet<>();
    private final List<Finding> findings = new ArrayList<>();
    private final List<Event> events;
    private final FreeCheck free;

    private HistoryChecker(Collection<Event> events, Duration longestFree) {
        this.events =
                events.stream().sorted(Comparator.comparingLong(Event::nanos)).toList();
        this.free = new FreeCheck(longestFree.toNanos(), findings::add);
    }

    /**
     * Checks a history against all promises.
     *
     * @param events the events of all clients, in any order
     * @param longestFree how long a lock may be free while an attempt waits for it; see {@link Kind#FREE_TOO_LONG}
     */
    public static HistoryReport check(Collection<Event> events, Duration longestFree) {
        HistoryChecker checker = new HistoryChecker(events, longestFree);
        checker.gather();
        checker.locks.values().forEach(checker::look);
        return checker.report();
    }

    private void gather() {
        for (Event event : events) {
            if (event instanceof Event.OfAttempt ofAttempt) {
                locks.computeIfAbsent(ofAttempt.who().lock(), name -> new LockHistory())
                        .add(ofAttempt);
            } else if (event instanceof Event.Killed kill) {
                killed.add(kill.client());
            } else if (event instanceof Event.Left left) {
                findings.add(Finding.of(Kind.LEFT_BEHIND, left.key() + " at " + left.node(), left));
            }
        }
    }

    private void look(LockHistory lock) {
        LeaseChecks.tokens(lock, findings::add);
        LeaseChecks.beliefs(lock, findings::add);
        LeaseChecks.permits(lock, findings::add);
        LeaseChecks.seals(lock, findings::add);
        LeaseChecks.order(lock, findings::add);
        MemoryChecks.values(lock, findings::add);
        MemoryChecks.grants(lock, findings::add);
        MemoryChecks.looks(lock, findings::add);
        free.look(lock);
        for (ResourceCopy row : ResourceCopy.values()) {
            ResourceChecks.stale(lock, row, findings::add);
            ResourceChecks.lost(lock, row, findings::add);
        }
        lock.courses().forEach(this::requireEnd);
    }

    private void requireEnd(AttemptHistory course) {
        Event.OfAttempt last = course.got != null ? course.got : course.asked;
        if (last != null && !course.hasEnded() && !killed.contains(course.who.client())) {
            findings.add(Finding.of(Kind.WITHOUT_END, course.who + " never ended", last));
        }
    }

    private HistoryReport report() {
        findings.sort(Comparator.comparingLong(Finding::nanos));
        List<AttemptHistory> courses =
                locks.values().stream().flatMap(lock -> lock.courses().stream()).toList();
        HistoryReport.Counts counts = new HistoryReport.Counts(
                courses.size(),
                courses.stream().filter(AttemptHistory::wasHeld).count(),
                courses.stream().mapToLong(AttemptHistory::extensions).sum(),
                courses.stream().filter(course -> course.lost != null).count(),
                courses.stream().filter(course -> course.gaveUp != null).count(),
                writes(ResourceCopy.GUARDED),
                events.stream().filter(Event.Refused.class::isInstance).count(),
                writes(ResourceCopy.UNGUARDED),
                courses.stream().filter(course -> course.read != null).count(),
                events.stream().filter(Event.Looked.class::isInstance).count());
        long longestWait = courses.stream()
                .filter(course -> course.asked != null && course.got != null)
                .mapToLong(course -> Objects.requireNonNull(course.got).nanos()
                        - Objects.requireNonNull(course.asked).nanos())
                .max()
                .orElse(0);
        return new HistoryReport(counts, longestWait, free.seenNanos(), findings);
    }

    private long writes(ResourceCopy row) {
        return events.stream()
                .filter(event -> event instanceof Event.Wrote wrote && wrote.row() == row)
                .count();
    }
}
