package dev.holdfast.testkit.history;

import dev.holdfast.lock.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * The course with the largest number so far, for each mode. With it, the checks are linear once the courses are sorted.
 */
final class LatestPerMode {

    private static final LockMode[] MODES = LockMode.values();

    private final long[] numbers = new long[MODES.length];
    private final @Nullable AttemptHistory[] courses = new AttemptHistory[MODES.length];

    void offer(long number, AttemptHistory course) {
        int mode = course.mode().ordinal();
        if (courses[mode] == null || number > numbers[mode]) {
            numbers[mode] = number;
            courses[mode] = course;
        }
    }

    /** Returns the course with the largest number among those that conflict with this mode. */
    @Nullable
    AttemptHistory largestAgainst(LockMode mode) {
        AttemptHistory largest = null;
        long number = Long.MIN_VALUE;
        for (LockMode other : MODES) {
            AttemptHistory course = courses[other.ordinal()];
            if (course != null && mode.conflictsWith(other) && numbers[other.ordinal()] > number) {
                largest = course;
                number = numbers[other.ordinal()];
            }
        }
        return largest;
    }

    /**
     * Returns the largest number among those that conflict with this mode; {@code Long.MIN_VALUE} if there are none.
     */
    long numberAgainst(LockMode mode) {
        AttemptHistory largest = largestAgainst(mode);
        return largest == null ? Long.MIN_VALUE : numbers[largest.mode().ordinal()];
    }
}
