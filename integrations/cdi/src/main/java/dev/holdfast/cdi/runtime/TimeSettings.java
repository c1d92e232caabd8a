package dev.holdfast.cdi.runtime;

import java.util.List;

/**
 * The times of a locked method, as texts that may have expressions; empty if not set.
 *
 * @param isJob whether the annotation is {@link dev.holdfast.cdi.LockedJob}
 * @param crons the cron expressions by which the method is scheduled
 */
public record TimeSettings(
        String waitFor, String ttl, String maxHold, String atLeast, boolean isJob, List<String> crons) {

    public TimeSettings {
        crons = List.copyOf(crons);
    }
}
