package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.scenario.Crash;
import dev.holdfast.benchmarks.scenario.HandOvers;
import dev.holdfast.benchmarks.scenario.HotInOneProcess;
import dev.holdfast.benchmarks.scenario.HotInProcesses;
import dev.holdfast.benchmarks.scenario.LongHolds;
import dev.holdfast.benchmarks.scenario.ManyLeases;
import dev.holdfast.benchmarks.scenario.ManyWaiters;
import dev.holdfast.benchmarks.scenario.NodesUnwell;
import dev.holdfast.benchmarks.scenario.Readers;
import dev.holdfast.benchmarks.scenario.Scenario;
import dev.holdfast.benchmarks.scenario.Uncontended;
import dev.holdfast.benchmarks.scenario.World;
import dev.holdfast.benchmarks.world.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs all scenarios, or those that are asked for, and reports. */
public final class Benchmarks {

    /** In the order of the report. */
    public static final List<Scenario> SCENARIOS = List.of(
            new Uncontended(),
            new HotInOneProcess(),
            new HotInProcesses(),
            new HandOvers(),
            new LongHolds(),
            new Readers(),
            new ManyWaiters(),
            new ManyLeases(),
            new Crash(),
            new NodesUnwell());

    private static final int SERVERS = 5;

    private Benchmarks() {}

    /** Arguments: those of {@link BenchmarkSettings}. */
    public static void main(String[] args) throws Exception {
        run(BenchmarkSettings.of(args));
    }

    /** A run; what was measured. */
    static Figures run(BenchmarkSettings settings) throws Exception {
        Figures figures = new Figures();
        Path directory = Files.createTempDirectory("holdfast-benchmarks-");
        try (Servers servers = Servers.start(SERVERS)) {
            World world = new World(settings, servers, figures, directory);
            for (Scenario scenario : SCENARIOS) {
                if (settings.wantsScenario(scenario.name())) {
                    scenario.run(world);
                }
            }
        } finally {
            System.err.println("worker logs: " + directory);
        }
        return figures;
    }
}
