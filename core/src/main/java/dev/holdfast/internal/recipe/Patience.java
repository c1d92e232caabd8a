package dev.holdfast.internal.recipe;

import dev.holdfast.internal.time.Durations;
import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time for which a caller is still willing to wait for an operation of several steps. */
final class Patience {

    private static final Duration LONGEST_COUNTED = Duration.ofDays(36_500);

    private final Duration wait;
    private final Ticker ticker;
    private final Moment begun;
    private final @Nullable Deadline deadline; // null without a limit

    /**
     * Begins now.
     *
     * @throws IllegalArgumentException if it is negative
     */
    Patience(Duration wait, Ticker ticker) {
        Durations.requireNotNegative("wait", wait);
        this.wait = wait;
        this.ticker = ticker;
        this.begun = ticker.now();
        this.deadline = wait.compareTo(LONGEST_COUNTED) > 0 ? null : new Deadline(begun, wait.toNanos());
    }

    /** Returns the time that is left; zero once it has passed. */
    Duration left() {
        return deadline == null ? wait : Duration.ofNanos(Math.max(deadline.remainingNanos(ticker.now()), 0));
    }

    /** Returns the time that has passed until now. */
    Duration waited() {
        return Duration.ofNanos(begun.nanosUntil(ticker.now()));
    }
}
