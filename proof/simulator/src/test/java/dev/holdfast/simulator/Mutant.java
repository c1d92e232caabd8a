package dev.holdfast.simulator;

import dev.holdfast.testkit.mutant.SourceEdit;
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
record Mutant(String name, List<SourceEdit> edits, Scenario scenario, long firstSeed, List<Promise> shows) {

    @Override
    public String toString() {
        return name;
    }
}
