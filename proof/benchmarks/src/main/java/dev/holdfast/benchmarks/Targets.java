package dev.holdfast.benchmarks;

import static dev.holdfast.benchmarks.report.Target.Sense.AT_LEAST;
import static dev.holdfast.benchmarks.report.Target.Sense.AT_MOST;

import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.report.Target;
import dev.holdfast.benchmarks.scenario.HotInOneProcess;
import dev.holdfast.benchmarks.scenario.HotInProcesses;
import dev.holdfast.benchmarks.scenario.LongHolds;
import dev.holdfast.benchmarks.scenario.ManyLeases;
import dev.holdfast.benchmarks.scenario.ManyWaiters;
import dev.holdfast.benchmarks.scenario.NodesUnwell;
import dev.holdfast.benchmarks.scenario.PostgresLocks;
import dev.holdfast.benchmarks.scenario.Readers;
import dev.holdfast.benchmarks.scenario.StrictCluster;
import dev.holdfast.benchmarks.scenario.Uncontended;
import dev.holdfast.benchmarks.side.Side;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Holdfast's performance targets: ratios of medians of one run on one machine. */
final class Targets {

    private final List<Target> targets = new ArrayList<>();

    private Targets() {}

    static List<Target> all() {
        Targets all = new Targets();
        all.uncontended();
        all.contended();
        all.many();
        all.unwell();
        all.postgresql();
        all.cluster();
        return List.copyOf(all.targets);
    }

    private void uncontended() {
        String name = Uncontended.NAME;
        faster("uncontended", name, Uncontended.setting(1, 8), Side.HOLDFAST, Side.RAW, 1.1);
        faster("uncontended", name, Uncontended.setting(1, 8), Side.HOLDFAST, Side.BARE_SCRIPTS, 0.85);
        faster("uncontended", name, Uncontended.setting(1, 8), Side.HOLDFAST, Side.REDISSON, 4.5);
        faster("uncontended", name, Uncontended.setting(1, 64), Side.HOLDFAST, Side.RAW, 1.4);
        faster("uncontended", name, Uncontended.setting(5, 8), Side.HOLDFAST, Side.RAW, 1.3);
        faster("uncontended", name, Uncontended.setting(5, 8), Side.HOLDFAST, Side.REDISSON_REDLOCK, 5);
        add(
                "uncontended, N = 5, 1 thread, median",
                "N = 1",
                AT_MOST,
                3,
                ratio(
                        median(name, Uncontended.setting(5, 1), Side.HOLDFAST, Metric.P50),
                        median(name, Uncontended.setting(1, 1), Side.HOLDFAST, Metric.P50)));
    }

    private void contended() {
        String hot = HotInOneProcess.NAME;
        String setting = HotInProcesses.setting(2);
        faster("hot lock, one process", hot, HotInOneProcess.setting(8), Side.HOLDFAST, Side.REDISSON, 50);
        faster("hot lock", HotInProcesses.NAME, setting, Side.HOLDFAST_AT_NODES, Side.REDISSON_FAIR, 5);
        add(
                "the same",
                "most turns of a thread to the fewest",
                AT_MOST,
                1.2,
                median(HotInProcesses.NAME, setting, Side.HOLDFAST_AT_NODES, Metric.SPREAD));
        add(
                LongHolds.setting(3),
                "the limit of 20 a second",
                AT_LEAST,
                0.95,
                divided(median(LongHolds.NAME, LongHolds.setting(3), Side.HOLDFAST, Metric.RATE), LongHolds.LIMIT));
        faster("hot lock", hot, HotInOneProcess.setting(1), Side.HOLDFAST_LINGER, Side.REDISSON, 100);
        add(
                "readers and writers 9:1, longest wait of a writer",
                "longest wait of a reader",
                AT_MOST,
                3,
                ratio(
                        largest(Readers.NAME, Readers.SETTING, Side.HOLDFAST, Metric.LONGEST_WRITE),
                        largest(Readers.NAME, Readers.SETTING, Side.HOLDFAST, Metric.LONGEST_READ)));
    }

    private void many() {
        String leases = ManyLeases.setting(100_000);
        add(
                "100,000 leases, memory a lease (bytes)",
                "",
                AT_MOST,
                1024,
                median(ManyLeases.NAME, leases, Side.HOLDFAST, Metric.LEASE_BYTES));
        add(
                "100,000 leases, threads",
                "threads with one lease",
                AT_MOST,
                1,
                ratio(
                        median(ManyLeases.NAME, leases, Side.HOLDFAST, Metric.THREADS_ALL),
                        median(ManyLeases.NAME, leases, Side.HOLDFAST, Metric.THREADS_ONE)));
        for (Side side : List.of(Side.HOLDFAST, Side.HOLDFAST_AT_NODES)) {
            add(
                    "10,000 waiters, cost of a hand-over" + (side == Side.HOLDFAST ? "" : ", hand-over off"),
                    "10 waiters",
                    AT_MOST,
                    2,
                    ratio(
                            median(ManyWaiters.NAME, ManyWaiters.setting(10_000), side, Metric.COST),
                            median(ManyWaiters.NAME, ManyWaiters.setting(10), side, Metric.COST)));
        }
    }

    private void unwell() {
        add(
                "one dead node of five, 99 % of an uncontended acquire",
                "none dead",
                AT_MOST,
                1.2,
                ratio(
                        median(NodesUnwell.NAME, NodesUnwell.Fifth.DEAD.setting, Side.HOLDFAST, Metric.P99),
                        median(NodesUnwell.NAME, NodesUnwell.Fifth.WELL.setting, Side.HOLDFAST, Metric.P99)));
    }

    private void postgresql() {
        String name = PostgresLocks.NAME;
        String eight = PostgresLocks.setting("on", 8);
        faster("PostgreSQL", name, eight, Side.HOLDFAST, Side.POSTGRES_FLOOR, 1.1);
        faster("PostgreSQL", name, eight, Side.HOLDFAST, Side.JDBC_REGISTRY, 3);
        faster("PostgreSQL", name, eight, Side.HOLDFAST, Side.SHEDLOCK, 2);
        faster("PostgreSQL", name, PostgresLocks.setting("on", 64), Side.HOLDFAST, Side.POSTGRES_FLOOR, 2);
        faster("PostgreSQL", name, PostgresLocks.hot(), Side.HOLDFAST, Side.JDBC_REGISTRY, 50);
        add(
                "PostgreSQL, " + PostgresLocks.handOver() + ", median",
                "one commit",
                AT_MOST,
                2.5,
                ratio(
                        median(name, PostgresLocks.handOver(), Side.HOLDFAST, Metric.HAND_OVER_P50),
                        median(name, PostgresLocks.commit(), Side.POSTGRES_FLOOR, Metric.P50)));
    }

    private void cluster() {
        String eight = StrictCluster.processes(8);
        againstPeers(StrictCluster.threads(64), Metric.PAIRS, AT_LEAST, 3);
        againstPeers(StrictCluster.threads(1), Metric.PAIRS, AT_LEAST, 1);
        againstPeers(eight, Metric.PAIRS, AT_LEAST, 3);
        add(
                "the same",
                "most turns of a thread to the fewest",
                AT_MOST,
                1.2,
                median(StrictCluster.NAME, eight, Side.HOLDFAST_CLUSTER, Metric.SPREAD));
        againstPeers(StrictCluster.HAND_OVER, Metric.HAND_OVER_P50, AT_MOST, 0.6);
    }

    /** Compares the strict cluster with the better of its peers. */
    private void againstPeers(String setting, Metric metric, Target.Sense sense, double wanted) {
        add(
                "strict cluster, " + setting,
                "the better of etcd and ZooKeeper",
                sense,
                wanted,
                ratio(
                        median(StrictCluster.NAME, setting, Side.HOLDFAST_CLUSTER, metric),
                        figures -> betterPeer(figures, setting, metric, sense)));
    }

    private static OptionalDouble betterPeer(Figures figures, String setting, Metric metric, Target.Sense sense) {
        DoubleStream peers = Stream.of(Side.ETCD_CLUSTER, Side.ZOOKEEPER)
                .map(side -> figures.median(StrictCluster.NAME, setting, side.title, metric))
                .flatMapToDouble(OptionalDouble::stream);
        return sense == AT_LEAST ? peers.max() : peers.min();
    }

    private void faster(String what, String scenario, String setting, Side side, Side other, double times) {
        String extra = side == Side.HOLDFAST ? "" : " (" + side.title + ")";
        add(
                what + ", " + setting + extra,
                other.title,
                AT_LEAST,
                times,
                ratio(median(scenario, setting, side, Metric.PAIRS), median(scenario, setting, other, Metric.PAIRS)));
    }

    private void add(
            String scenario,
            String against,
            Target.Sense sense,
            double wanted,
            Function<Figures, OptionalDouble> measured) {
        targets.add(new Target(scenario, against, sense, wanted, measured));
    }

    private static Function<Figures, OptionalDouble> median(String scenario, String setting, Side side, Metric metric) {
        return figures -> figures.median(scenario, setting, side.title, metric);
    }

    private static Function<Figures, OptionalDouble> largest(
            String scenario, String setting, Side side, Metric metric) {
        return figures -> Arrays.stream(figures.values(scenario, setting, side.title, metric))
                .max();
    }

    private static Function<Figures, OptionalDouble> divided(Function<Figures, OptionalDouble> figure, double by) {
        return ratio(figure, any -> OptionalDouble.of(by));
    }

    private static Function<Figures, OptionalDouble> ratio(
            Function<Figures, OptionalDouble> figure, Function<Figures, OptionalDouble> other) {
        return figures -> {
            OptionalDouble value = figure.apply(figures);
            OptionalDouble by = other.apply(figures);
            return value.isPresent() && by.isPresent()
                    ? OptionalDouble.of(value.getAsDouble() / by.getAsDouble())
                    : OptionalDouble.empty();
        };
    }
}
