package dev.holdfast.testkit.history;

import dev.holdfast.testkit.history.Finding.Kind;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Check 5: how long a lock was free while an attempt waited for it. Two conditions make the lock free for an attempt. The
 * last conflicting lease has expired by its own clock, or was released or lost. The last conflicting attempt ahead of it
 * has given up.
 */
final class FreeCheck {

    private final long longestNanos;
    private final Consumer<Finding> found;
    private long seenNanos;

    FreeCheck(long longestNanos, Consumer<Finding> found) {
        this.longestNanos = longestNanos;
        this.found = found;
    }

    /** Returns the longest time seen so far. */
    long seenNanos() {
        return seenNanos;
    }

    void look(LockHistory lock) {
        Collection<AttemptHistory> answered = lock.courses().stream()
                .filter(course -> course.asked != null && outcome(course) != null)
                .toList();
        LatestPerMode latestEnd = new LatestPerMode();
        for (AttemptHistory course : LeaseChecks.sorted(answered, course -> at(outcome(course)))) {
            measure(course, latestEnd.numberAgainst(course.mode()));
            latestEnd.offer(course.wasHeld() ? course.endOfBelief() : at(outcome(course)), course);
        }
    }

    private void measure(AttemptHistory course, long freeSince) {
        Event.OfAttempt outcome = outcome(course);
        Event.Asked asked = course.asked;
        if (outcome == null || asked == null || course.together != null || course.oneOf != null) {
            return; // it may have waited for another lock, or for a permit
        }
        long free = outcome.nanos() - Math.max(freeSince, asked.nanos());
        seenNanos = Math.max(seenNanos, free);
        if (free > longestNanos) {
            String text = course.who + " waited for " + LeaseChecks.millis(free) + " while the lock was free";
            found.accept(Finding.of(Kind.FREE_TOO_LONG, text, asked, outcome));
        }
    }

    private static Event.@Nullable OfAttempt outcome(AttemptHistory course) {
        return course.got != null ? course.got : course.gaveUp;
    }

    private static long at(Event.@Nullable OfAttempt event) {
        return event == null ? 0 : event.nanos();
    }
}
