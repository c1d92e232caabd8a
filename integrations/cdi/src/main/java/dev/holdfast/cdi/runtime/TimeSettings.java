package dev.holdfast.cdi.runtime;

/**
 * The times of a locked method, as texts that may have expressions; empty if not set.
 *
 * @param isJob whether the annotation is {@link dev.holdfast.cdi.LockedJob}
 * @param schedule the times at which a scheduler calls the method
 */
public record TimeSettings(
        String waitFor, String ttl, String maxHold, String atLeast, boolean isJob, ScheduleSettings schedule) {}
