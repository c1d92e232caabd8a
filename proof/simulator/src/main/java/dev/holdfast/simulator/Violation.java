package dev.holdfast.simulator;

/**
 * A promise that was not kept.
 *
 * @param promise which
 * @param atMillis when, since the beginning of the schedule
 * @param detail who did what
 */
public record Violation(Promise promise, long atMillis, String detail) {

    @Override
    public String toString() {
        return promise + " at " + atMillis + " ms: " + detail;
    }
}
