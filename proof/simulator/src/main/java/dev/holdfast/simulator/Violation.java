package dev.holdfast.simulator;

/**
 * A promise that was not kept.
 *
 * @param promise the promise
 * @param atMillis the time since the beginning of the schedule, in milliseconds
 * @param detail the events that broke it
 */
public record Violation(Promise promise, long atMillis, String detail) {

    @Override
    public String toString() {
        return promise + " at " + atMillis + " ms: " + detail;
    }
}
