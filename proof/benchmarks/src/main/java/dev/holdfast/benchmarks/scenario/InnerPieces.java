package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.inner.ClientBenchmark;
import dev.holdfast.benchmarks.report.Figure;
import dev.holdfast.benchmarks.report.Metric;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The parts of Holdfast that need no server, measured by JMH, each in a process of its own. */
public final class InnerPieces implements Scenario {

    public static final String NAME = "inner";
    public static final String SETTING = "JMH, one thread, no server";

    private static final double WARM_UP_SECONDS = 1.5;
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "What do the parts without a server cost? JMH measures the rules of a node (`LockTable`), and an owner id as text and back."
                + " It also measures everything that a client does for a lock whose nodes answer at once, in its own process.";
    }

    @Override
    public void run(World world) throws Exception {
        if (!world.settings().wantsSide("Holdfast")) {
            return;
        }
        Collection<RunResult> results = new Runner(options(world)).run();
        results.forEach(result -> add(world, result));
        world.show(NAME, SETTING);
    }

    private static Options options(World world) {
        return new OptionsBuilder()
                .include(ClientBenchmark.class.getPackageName().replace(".", "\\.") + "\\..*")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(world.settings().size().forks())
                .warmupIterations(2)
                .warmupTime(time(Math.min(WARM_UP_SECONDS, world.settings().warmUp())))
                .measurementIterations(world.settings().rounds())
                .measurementTime(time(world.settings().seconds()))
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .build();
    }

    private static TimeValue time(double seconds) {
        return TimeValue.milliseconds((long) (1_000 * seconds));
    }

    private static void add(World world, RunResult result) {
        String name = name(result);
        int round = 0;
        for (IterationResult iteration : result.getAggregatedResult().getIterationResults()) {
            round++;
            add(world, name, round, Metric.TIME, iteration.getPrimaryResult());
            add(
                    world,
                    name,
                    round,
                    Metric.ALLOCATED_ONCE,
                    Objects.requireNonNull(iteration.getSecondaryResults().get(ALLOCATED)));
        }
    }

    private static void add(World world, String name, int round, Metric metric, Result<?> result) {
        world.figures().add(new Figure(NAME, SETTING, name, metric, round, result.getScore()));
    }

    private static String name(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        int method = benchmark.lastIndexOf('.');
        String type = benchmark
                .substring(benchmark.lastIndexOf('.', method - 1) + 1, method)
                .replace("Benchmark", "");
        String words =
                benchmark.substring(method + 1).replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        String params = result.getParams().getParamsKeys().stream()
                .map(key -> ", " + key + " = " + result.getParams().getParam(key))
                .collect(Collectors.joining());
        return type + ": " + words + params;
    }
}
