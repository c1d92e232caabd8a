package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.report.RawFigures;
import dev.holdfast.benchmarks.scenario.AtADistance;
import dev.holdfast.benchmarks.scenario.BenchmarkSettings;
import dev.holdfast.benchmarks.scenario.Crash;
import dev.holdfast.benchmarks.scenario.HandOvers;
import dev.holdfast.benchmarks.scenario.HotInOneProcess;
import dev.holdfast.benchmarks.scenario.HotInProcesses;
import dev.holdfast.benchmarks.scenario.InnerPieces;
import dev.holdfast.benchmarks.scenario.LockServers;
import dev.holdfast.benchmarks.scenario.LongHolds;
import dev.holdfast.benchmarks.scenario.ManyLeases;
import dev.holdfast.benchmarks.scenario.ManyWaiters;
import dev.holdfast.benchmarks.scenario.NodesUnwell;
import dev.holdfast.benchmarks.scenario.PostgresLocks;
import dev.holdfast.benchmarks.scenario.Profiles;
import dev.holdfast.benchmarks.scenario.Readers;
import dev.holdfast.benchmarks.scenario.Scenario;
import dev.holdfast.benchmarks.scenario.ServerScripts;
import dev.holdfast.benchmarks.scenario.StrictCluster;
import dev.holdfast.benchmarks.scenario.Uncontended;
import dev.holdfast.benchmarks.scenario.World;
import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.benchmarks.world.Worker;
import dev.holdfast.benchmarks.world.WorkerPool;
import dev.holdfast.benchmarks.world.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The program that runs all scenarios, or the selected ones, and writes the report. */
public final class Benchmarks {

    /** All scenarios, in the order of the report. */
    public static final List<Scenario> SCENARIOS = List.of(
            new Uncontended(),
            new AtADistance(),
            new HotInOneProcess(),
            new HotInProcesses(),
            new HandOvers(),
            new LongHolds(),
            new Readers(),
            new ManyWaiters(),
            new ManyLeases(),
            new Crash(),
            new NodesUnwell(),
            new Profiles(),
            new ServerScripts(),
            new InnerPieces(),
            new LockServers(),
            new PostgresLocks(),
            new StrictCluster());

    private static final int SERVERS = 5;

    private Benchmarks() {}

    /** Runs the benchmarks with the arguments of {@link BenchmarkSettings}. */
    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("holdfast-benchmarks-");
        Path log = directory.resolve("workers.log");
        try {
            run(
                    BenchmarkSettings.of(args),
                    (side, options, nodes) -> WorkerProcess.start(side, options, nodes, log),
                    directory);
        } catch (Exception e) {
            e.printStackTrace();
            System.err.println("the output of the workers is in " + log);
            System.exit(1);
        }
        delete(directory);
        System.exit(0);
    }

    /**
     * Measures the scenarios, writes the report, and returns the figures. A scenario that fails is left out of the report; the run
     * fails after the others.
     */
    static Figures run(BenchmarkSettings settings, Worker.Starter starter, Path directory) throws Exception {
        if (SCENARIOS.stream().noneMatch(scenario -> settings.wantsScenario(scenario.name()))) {
            throw new IllegalArgumentException("SCENARIO is not one of "
                    + SCENARIOS.stream().map(Scenario::name).toList());
        }
        Path keptFrom = settings.kept();
        Figures kept =
                keptFrom == null ? new Figures() : RawFigures.of(Files.readString(keptFrom.resolve("figures.csv")));
        Figures figures = new Figures();
        List<Exception> failed = new ArrayList<>();
        String run = Facts.now();
        String loadBefore = Facts.load();
        try (Servers servers = Servers.start(SERVERS);
                WorkerPool pool = new WorkerPool(starter)) {
            for (Scenario scenario : SCENARIOS) {
                if (settings.wantsScenario(scenario.name())) {
                    long start = System.nanoTime();
                    Figures measured = new Figures();
                    try {
                        scenario.run(new World(settings, servers, pool, measured, directory));
                        measured.measured(scenario.name(), run);
                        figures.keep(measured);
                    } catch (Exception e) {
                        failed.add(new IllegalStateException(scenario.name() + " failed, and is not reported", e));
                    }
                    System.out.printf("%s took %.0f s%n%n", scenario.name(), (System.nanoTime() - start) / 1e9);
                }
            }
            figures.keep(kept);
            Report.write(settings.directory(), SCENARIOS, figures, Facts.of(settings, servers, loadBefore));
        }
        if (!failed.isEmpty()) {
            Exception first = failed.get(0);
            failed.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
        return figures;
    }

    /** Deletes a directory that contains only files. */
    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
