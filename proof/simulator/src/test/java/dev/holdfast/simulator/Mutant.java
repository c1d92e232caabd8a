package dev.holdfast.simulator;

import java.util.List;

/**
 * A mistake in the production code that the simulator must notice.
 *
 * @param name what is wrong; those of PROTOCOL §8 begin with their number
 * @param edits what is written instead
 * @param scenario where it shows
 * @param firstSeed the seed of the first schedule, 0 unless only a rare schedule shows it
 * @param shows the promises that it breaks, one of which must be seen
 */
record Mutant(String name, List<Edit> edits, Scenario scenario, long firstSeed, List<Promise> shows) {

    /**
     * A piece of a source file, and what stands there instead.
     *
     * @param source the class, such as {@code quorum/Attempt}
     * @param from text that is there exactly once
     */
    record Edit(String source, String from, String to) {}

    @Override
    public String toString() {
        return name;
    }
}
