package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.benchmarks.report.Figure;
import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.scenario.BenchmarkSettings;
import dev.holdfast.benchmarks.scenario.HotInOneProcess;
import dev.holdfast.benchmarks.scenario.HotInProcesses;
import dev.holdfast.benchmarks.scenario.LockServers;
import dev.holdfast.benchmarks.scenario.NodesUnwell;
import dev.holdfast.benchmarks.scenario.Scenario;
import dev.holdfast.benchmarks.scenario.StrictCluster;
import dev.holdfast.benchmarks.scenario.Uncontended;
import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Servers;
import dev.holdfast.benchmarks.world.Worker;
import dev.holdfast.benchmarks.world.WorkerProcess;
import dev.holdfast.testkit.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Three scenarios, and in a thorough build all, run for a blink on real servers. The test makes no claim about speed. */
@Tag("slow")
class BenchmarksTest {

    /** The scenarios that the build of every change runs. */
    private static final List<String> BRIEF = List.of(Uncontended.NAME, HotInOneProcess.NAME, HotInProcesses.NAME);

    @TempDir
    Path directory;

    static List<String> scenarios() {
        return Benchmarks.SCENARIOS.stream()
                .map(Scenario::name)
                .filter(name -> Effort.isThorough() || BRIEF.contains(name))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyScenarioMeasuresAllSidesAndLetsNobodyIn(String scenario) throws Exception {
        Figures figures = run("SCENARIO=" + scenario, "SIDE=" + sides(scenario));

        assertThat(figures.scenarios()).containsExactly(scenario);
        List<String> measured =
                figures.where(any -> true).map(Figure::side).distinct().toList();
        if (measured.contains(Side.RAW.title) || measured.contains(Side.REDISSON.title)) {
            assertThat(measured).contains(Side.HOLDFAST.title);
        }
        assertThat(figures.where(figure -> figure.metric() == Metric.INTRUDERS && figure.value() > 0))
                .isEmpty();
        assertThat(figures.where(figure -> !Double.isFinite(figure.value()) && figure.metric() != Metric.SPREAD)
                        .map(Figure::toString))
                .isEmpty();
        assertThat(Files.readString(directory.resolve("report/README.md"))).contains("## " + scenario);
        assertThat(Files.readString(directory.resolve("report/figures.csv"))).contains(scenario + ",");
    }

    /** Redisson's locks differ in a name only, so one scenario has all; and where a node is gone, its Redlock takes seconds. */
    private static String sides(String scenario) {
        return switch (scenario) {
            case HotInOneProcess.NAME, LockServers.NAME, StrictCluster.NAME -> "";
            case NodesUnwell.NAME -> "holdfast;raw";
            default -> "holdfast;raw;bare;redissonrlock;redlock;spring";
        };
    }

    @Test
    void aScenarioThatFailsIsNotReportedAndTheOthersAre() throws Exception {
        Worker.Starter starter = (side, options, nodes) -> {
            if (side == Side.HOLDFAST_LINGER) {
                throw new IllegalStateException("it does not start");
            }
            return new WorkerInThread(side, options, nodes);
        };

        assertThatIllegalStateException()
                .isThrownBy(() -> run(starter, "SCENARIO=hot;readers", "SIDE=holdfast"))
                .withMessage("hot failed, and is not reported")
                .withStackTraceContaining("it does not start");

        assertThat(Files.readString(directory.resolve("report/README.md")))
                .contains("## readers")
                .doesNotContain("## hot");
        assertThat(Files.readString(directory.resolve("report/figures.csv")))
                .contains("readers,")
                .doesNotContain("hot,");
    }

    private Figures run(String... more) throws Exception {
        return run(WorkerInThread::new, more);
    }

    private Figures run(Worker.Starter starter, String... more) throws Exception {
        String[] arguments = new String[more.length + 5];
        System.arraycopy(more, 0, arguments, 0, more.length);
        System.arraycopy(
                new String[] {
                    "SIZE=blink", "ROUNDS=1", "SECONDS=0.05", "WARMUP=0.05", "TO=" + directory.resolve("report")
                },
                0,
                arguments,
                more.length,
                5);
        return Benchmarks.run(BenchmarkSettings.of(arguments), starter, directory);
    }

    @Test
    void aWorkerIsAProcessOfItsOwnThatTellsOfFailures() {
        try (Servers servers = Servers.start(1);
                WorkerProcess worker = WorkerProcess.start(
                        Side.HOLDFAST, ClientOptions.DEFAULTS, servers.first(1), directory.resolve("log"))) {
            Answer answer =
                    worker.ask(Order.to(Task.OWN_LOCKS).with("threads", 2).with("seconds", 0.1));
            assertThat(answer.value("pairs")).isPositive();
            assertThat(answer.value("p99")).isGreaterThanOrEqualTo(answer.value("p50"));

            assertThatIllegalStateException()
                    .isThrownBy(() -> worker.ask(Order.to(Task.OWN_LOCKS)))
                    .withMessageContaining("needs threads");
        }
    }
}
