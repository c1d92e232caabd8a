package dev.holdfast.torture;

import dev.holdfast.testkit.history.Finding.Promise;
import dev.holdfast.torture.fault.Fault;
import dev.holdfast.torture.fault.Faults;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A part of a run, with clients of its own.
 *
 * @param name for the report
 * @param length how long clients work under its faults
 * @param faults what strikes; none for a quiet time
 * @param quarantined whether Holdfast's clients keep servers that restarted out
 * @param promised what must hold
 */
public record Phase(String name, Duration length, List<Fault> faults, boolean quarantined, Set<Promise> promised) {

    private static final long SHORTEST_QUIET_MILLIS = 8_000;
    private static final Set<Promise> TOKENS = Set.of(Promise.ALWAYS);
    private static final Set<Promise> EXCLUSION = Set.of(Promise.ALWAYS, Promise.BOUNDED_CLOCKS);
    private static final Set<Promise> ALL = Set.of(Promise.ALWAYS, Promise.BOUNDED_CLOCKS, Promise.QUIET);

    public Phase {
        faults = List.copyOf(faults);
        promised = Set.copyOf(promised);
    }

    /** A tenth of the time without faults, a fifth beyond the assumptions, and between them what this is about. */
    static List<Phase> of(Duration time) {
        Duration quiet = Duration.ofMillis(Math.max(time.toMillis() / 10, SHORTEST_QUIET_MILLIS));
        Duration beyond = time.dividedBy(5);
        return List.of(
                new Phase("without faults", quiet, List.of(), true, ALL),
                new Phase(
                        "under the assumptions",
                        time.minus(quiet).minus(beyond),
                        Faults.withinTheAssumptions(),
                        true,
                        EXCLUSION),
                new Phase("beyond the assumptions", beyond, Faults.beyondTheAssumptions(), false, TOKENS));
    }
}
