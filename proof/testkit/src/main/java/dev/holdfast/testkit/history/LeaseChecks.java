package dev.holdfast.testkit.history;

import dev.holdfast.testkit.history.Finding.Kind;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** The checks of one lock's leases against each other, each a walk through time. */
final class LeaseChecks {

    /**
     * Tickets come from wall clocks that are read in milliseconds: of two that are closer than this, either may be the
     * earlier.
     */
    private static final long TICKET_GRAIN_NANOS = 2_000_000;

    private LeaseChecks() {}

    /** Runs check 1. */
    static void tokens(LockHistory lock, Consumer<Finding> found) {
        List<AttemptHistory> bearers = lock.held().stream()
                .filter(course -> course.token() > 0 && course.asked != null)
                .toList();
        Deque<AttemptHistory> complete = sorted(bearers, course -> got(course).nanos());
        LatestPerMode largest = new LatestPerMode();
        for (AttemptHistory later : sorted(bearers, course -> asked(course).nanos())) {
            while (!complete.isEmpty()
                    && got(complete.getFirst()).nanos() < asked(later).nanos()) {
                AttemptHistory earlier = complete.removeFirst();
                largest.offer(earlier.token(), earlier);
            }
            AttemptHistory before = largest.largestAgainst(later.mode());
            if (before != null && before.token() >= later.token()) {
                String text = "token " + later.token() + " after " + before.token();
                found.accept(Finding.of(Kind.TOKEN_NOT_ABOVE, text, got(before), asked(later), got(later)));
            }
        }
    }

    /** Runs check 3. */
    static void beliefs(LockHistory lock, Consumer<Finding> found) {
        List<AttemptHistory.Belief> beliefs = lock.held().stream()
                .flatMap(course -> course.beliefs().stream())
                .sorted(Comparator.comparingLong(AttemptHistory.Belief::from))
                .toList();
        LatestPerMode latest = new LatestPerMode();
        for (AttemptHistory.Belief belief : beliefs) {
            AttemptHistory other = latest.largestAgainst(belief.course().mode());
            long overlap = latest.numberAgainst(belief.course().mode()) - belief.from();
            if (other != null && other != belief.course() && overlap > 0) {
                found.accept(new Finding(
                        Kind.DOUBLE_HOLDER,
                        belief.from(),
                        1,
                        belief.course().who + " while " + other.who + " had " + millis(overlap) + " left",
                        List.of(got(other), got(belief.course()))));
            }
            latest.offer(belief.to(), belief.course());
        }
    }

    /** Runs check 3 for a semaphore: walks through the beliefs in its permits, each of which ends at its own time. */
    static void permits(LockHistory lock, Consumer<Finding> found) {
        List<AttemptHistory.Belief> beliefs = lock.held().stream()
                .filter(course -> course.oneOf != null)
                .flatMap(course -> course.beliefs().stream())
                .sorted(Comparator.comparingLong(AttemptHistory.Belief::from))
                .toList();
        PriorityQueue<AttemptHistory.Belief> held =
                new PriorityQueue<>(Comparator.comparingLong(AttemptHistory.Belief::to));
        for (AttemptHistory.Belief belief : beliefs) {
            while (!held.isEmpty() && held.element().to() <= belief.from()) {
                held.remove();
            }
            held.add(belief);
            long permits = Objects.requireNonNull(belief.course().oneOf).permits();
            if (held.size() > permits) {
                Event.OfAttempt[] holders =
                        held.stream().map(other -> got(other.course())).toArray(Event.OfAttempt[]::new);
                found.accept(Finding.of(
                        Kind.TOO_MANY_HOLDERS, held.size() + " holders of " + permits + " permits", holders));
            }
        }
    }

    /** Runs check 8: no attempt that asked after a seal was confirmed begins while the seal lasts. */
    static void seals(LockHistory lock, Consumer<Finding> found) {
        Deque<AttemptHistory> confirmed = sorted(
                lock.courses().stream().filter(course -> course.sealed != null).toList(),
                course -> sealed(course).nanos());
        List<AttemptHistory> asking =
                lock.held().stream().filter(course -> course.asked != null).toList();
        AttemptHistory longest = null;
        for (AttemptHistory later : sorted(asking, course -> asked(course).nanos())) {
            while (!confirmed.isEmpty()
                    && sealed(confirmed.getFirst()).nanos() < asked(later).nanos()) {
                AttemptHistory earlier = confirmed.removeFirst();
                longest = longest == null
                                || sealed(earlier).untilNanos()
                                        > sealed(longest).untilNanos()
                        ? earlier
                        : longest;
            }
            if (longest != null && got(later).nanos() < sealed(longest).untilNanos()) {
                String text = later.who + " repeats the work that " + longest.who + " has sealed";
                found.accept(Finding.of(Kind.DONE_AGAIN, text, sealed(longest), asked(later), got(later)));
            }
        }
    }

    /** Runs check 4. */
    static void order(LockHistory lock, Consumer<Finding> found) {
        Deque<AttemptHistory> queued = sorted(
                lock.held().stream().filter(course -> course.queued != null).toList(),
                course -> queued(course).nanos());
        LatestPerMode lastServed = new LatestPerMode();
        List<AttemptHistory> asking =
                lock.held().stream().filter(course -> course.asked != null).toList();
        for (AttemptHistory later : sorted(asking, course -> asked(course).nanos())) {
            while (!queued.isEmpty()
                    && queuedForAll(queued.getFirst()) < asked(later).nanos()) {
                AttemptHistory earlier = queued.removeFirst();
                lastServed.offer(got(earlier).nanos(), earlier);
            }
            AttemptHistory overtaken = lastServed.largestAgainst(later.mode());
            if (overtaken != null && got(overtaken).nanos() > got(later).nanos()) {
                String text = later.who + " acquired the lock before " + overtaken.who
                        + ", which was queued before the first asked";
                found.accept(
                        Finding.of(Kind.OVERTAKEN, text, queued(overtaken), asked(later), got(later), got(overtaken)));
            }
        }
    }

    /** Returns the time after which every new request must queue behind it. */
    private static long queuedForAll(AttemptHistory course) {
        return Math.max(queued(course).nanos(), asked(course).nanos() + TICKET_GRAIN_NANOS);
    }

    static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }

    static Deque<AttemptHistory> sorted(Collection<AttemptHistory> courses, ToLongFunction<AttemptHistory> by) {
        return new ArrayDeque<>(
                courses.stream().sorted(Comparator.comparingLong(by)).toList());
    }

    private static Event.Asked asked(AttemptHistory course) {
        return Objects.requireNonNull(course.asked);
    }

    private static Event.Sealed sealed(AttemptHistory course) {
        return Objects.requireNonNull(course.sealed);
    }

    private static Event.Queued queued(AttemptHistory course) {
        return Objects.requireNonNull(course.queued);
    }

    private static Event.Got got(AttemptHistory course) {
        return Objects.requireNonNull(course.got);
    }
}
