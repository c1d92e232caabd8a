package dev.holdfast.cdi.runtime;

import java.util.List;

/**
 * The schedules of a locked method, with texts that may have expressions.
 *
 * @param annotation the first of its annotations, as in {@code @Scheduled}; empty if it is not scheduled
 * @param crons the cron expressions by which the method is scheduled
 * @param everies the intervals by which the method is scheduled
 */
public record ScheduleSettings(String annotation, List<String> crons, List<String> everies) {

    public ScheduleSettings {
        crons = List.copyOf(crons);
        everies = List.copyOf(everies);
    }

    /** Returns whether a scheduler calls the method. */
    boolean isScheduled() {
        return !annotation.isEmpty();
    }
}
