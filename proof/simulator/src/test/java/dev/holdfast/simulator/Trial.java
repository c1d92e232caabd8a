package dev.holdfast.simulator;

import java.util.function.Function;

/** Plays a scenario; for a {@code MutantLoader}: it has only types of the JDK in common with the test. */
public final class Trial implements Function<String, String> {

    /** {@code "scenario firstSeed schedules threads"} to {@code "number of the schedule, violations"}, or nothing if there were none. */
    @Override
    public String apply(String what) {
        String[] words = what.split(" ");
        Campaign campaign = new Campaign(Scenarios.named(words[0]), Long.parseLong(words[1]))
                .play(Long.parseLong(words[2]), Integer.parseInt(words[3]));
        Outcome violation = campaign.violation();
        return violation == null ? "" : (violation.seed() + 1) + " " + violation.violations();
    }
}
