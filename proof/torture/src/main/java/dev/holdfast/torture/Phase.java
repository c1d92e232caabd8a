package dev.holdfast.torture;

import dev.holdfast.testkit.history.Finding.Promise;
import dev.holdfast.torture.fault.Fault;
import dev.holdfast.torture.fault.Faults;
import dev.holdfast.torture.world.ClusterServers;
import dev.holdfast.torture.world.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A part of a run, with clients of its own.
 *
 * @param name the name in the report
 * @param length how long clients work under its faults
 * @param faults the faults that strike; none for a quiet phase
 * @param quarantined whether Holdfast's clients quarantine restarted servers
 * @param promised the promises that must hold
 */
public record Phase(String name, Duration length, List<Fault> faults, boolean quarantined, Set<Promise> promised) {

    private static final Duration SHORTEST = Duration.ofSeconds(8);
    private static final Set<Promise> GUARD = Set.of(Promise.ALWAYS);
    private static final Set<Promise> TOKENS = Set.of(Promise.ALWAYS, Promise.MEMORY);
    private static final Set<Promise> EXCLUSION = Set.of(Promise.ALWAYS, Promise.MEMORY, Promise.BOUNDED_CLOCKS);
    private static final Set<Promise> SEALS =
            Set.of(Promise.ALWAYS, Promise.MEMORY, Promise.BOUNDED_CLOCKS, Promise.SEALS);
    private static final Set<Promise> ORDERED =
            Set.of(Promise.ALWAYS, Promise.MEMORY, Promise.BOUNDED_CLOCKS, Promise.SEALS, Promise.ORDER);
    private static final Set<Promise> ALL = EnumSet.complementOf(EnumSet.of(Promise.NEVER));

    public Phase {
        faults = List.copyOf(faults);
        promised = Set.copyOf(promised);
    }

    /**
     * Returns the phases of a run. The quiet phase gets a tenth of the time. So does the phase whose faults cost no
     * server its state, and so does each phase beyond the assumptions. The main phase gets the rest. A short run stays
     * within the assumptions.
     */
    static List<Phase> of(TortureSettings settings, Servers servers) {
        Duration time = settings.time();
        Duration tenth = time.dividedBy(10);
        Duration quiet = tenth.compareTo(SHORTEST) < 0 ? SHORTEST : tenth;
        if (settings.kind() == Servers.Kind.POSTGRESQL) {
            return ofPostgres(settings, quiet, tenth);
        }
        if (servers instanceof ClusterServers cluster) {
            return ofCluster(settings, cluster, tenth);
        }
        List<Phase> beyond = new ArrayList<>();
        if (tenth.compareTo(SHORTEST) >= 0) {
            beyond.add(new Phase("under the assumptions of seals", tenth, Faults.thatForgetNothing(), true, SEALS));
        }
        if (tenth.compareTo(SHORTEST) >= 0) {
            beyond.add(new Phase("beyond the assumptions: quarantine off", tenth, Faults.ofMemory(), false, TOKENS));
            beyond.add(new Phase("beyond the assumptions: keys deleted", tenth, Faults.ofOperators(), true, GUARD));
            if (servers.haveSteppableClocks()) {
                beyond.add(new Phase("beyond the assumptions: clocks set", tenth, Faults.ofClocks(), true, TOKENS));
            }
        }
        Duration rest = time.minus(quiet).minus(tenth.multipliedBy(beyond.size()));
        List<Phase> phases = new ArrayList<>(List.of(
                new Phase("without faults", quiet, List.of(), true, ALL),
                new Phase(
                        "under the assumptions",
                        rest,
                        chosen(settings, Faults.withinTheAssumptions(servers)),
                        true,
                        EXCLUSION)));
        phases.addAll(beyond);
        return phases;
    }

    /** Returns the phases on PostgreSQL servers, which lose no seal within the assumptions. */
    private static List<Phase> ofPostgres(TortureSettings settings, Duration quiet, Duration tenth) {
        boolean isLong = tenth.compareTo(SHORTEST) >= 0;
        Duration rest = settings.time().minus(quiet).minus(isLong ? tenth : Duration.ZERO);
        List<Phase> phases = new ArrayList<>(List.of(
                new Phase("without faults", quiet, List.of(), true, ALL),
                new Phase("under the assumptions", rest, chosen(settings, Faults.ofPostgres()), true, SEALS)));
        if (isLong) {
            phases.add(new Phase(
                    "beyond the assumptions: asynchronous standby",
                    tenth,
                    Faults.ofAsynchronousStandbys(),
                    false,
                    TOKENS));
        }
        return phases;
    }

    /**
     * Returns the phases on a cluster, which loses nothing in any of them. Under faults of servers alone, it also keeps the
     * order of the queue.
     */
    private static List<Phase> ofCluster(TortureSettings settings, ClusterServers cluster, Duration tenth) {
        Duration time = settings.time();
        if (settings.broken() > 0) {
            return List.of(new Phase("broken", time, Faults.thatRollBackACluster(), false, SEALS));
        }
        List<Fault> all = chosen(settings, Faults.ofCluster(cluster));
        if (tenth.compareTo(SHORTEST) < 0) {
            return List.of(new Phase("faults of servers and clients", time, all, false, SEALS));
        }
        Duration half = time.minus(tenth).dividedBy(2);
        return List.of(
                new Phase("without faults", tenth, List.of(), false, ALL),
                new Phase(
                        "faults of servers", half, chosen(settings, Faults.ofClusterServers(cluster)), false, ORDERED),
                new Phase("faults of servers and clients", half, all, false, SEALS));
    }

    private static List<Fault> chosen(TortureSettings settings, List<Fault> all) {
        return settings.faults().isEmpty()
                ? all
                : all.stream()
                        .filter(fault ->
                                settings.faults().contains(fault.getClass().getSimpleName()))
                        .toList();
    }
}
