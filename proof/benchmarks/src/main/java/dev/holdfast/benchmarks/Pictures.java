package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.report.Metric;
import dev.holdfast.benchmarks.report.Picture;
import dev.holdfast.benchmarks.scenario.Crash;
import dev.holdfast.benchmarks.scenario.HandOvers;
import dev.holdfast.benchmarks.scenario.HotInOneProcess;
import dev.holdfast.benchmarks.scenario.HotInProcesses;
import dev.holdfast.benchmarks.scenario.LockServers;
import dev.holdfast.benchmarks.scenario.LongHolds;
import dev.holdfast.benchmarks.scenario.ManyLeases;
import dev.holdfast.benchmarks.scenario.ManyWaiters;
import dev.holdfast.benchmarks.scenario.NodesUnwell;
import dev.holdfast.benchmarks.scenario.Readers;
import dev.holdfast.benchmarks.scenario.StrictCluster;
import dev.holdfast.benchmarks.scenario.Uncontended;
import java.util.List;

/** The figures that a report shows as charts. */
final class Pictures {

    static final List<Picture> LIST = List.of(
            new Picture(
                    "uncontended-1", "Uncontended locks, one node", Uncontended.NAME, "N = 1,", Metric.PAIRS, false),
            new Picture(
                    "uncontended-5", "Uncontended locks, five nodes", Uncontended.NAME, "N = 5,", Metric.PAIRS, false),
            new Picture("hot", "One lock, threads of one process", HotInOneProcess.NAME, "", Metric.PAIRS, true),
            new Picture("processes", "One lock, several processes", HotInProcesses.NAME, "", Metric.PAIRS, true),
            new Picture(
                    "hand-over",
                    "From release to the next holder, another client",
                    HandOvers.NAME,
                    "",
                    Metric.HAND_OVER_P50,
                    false),
            new Picture(
                    "redlock4j", "50 ms of work under one lock, five clients", LongHolds.NAME, "", Metric.RATE, false),
            new Picture("readers", "Nine readers for each writer", Readers.NAME, "", Metric.LONGEST_WRITE, true),
            new Picture("waiters", "A hand-over with many waiters", ManyWaiters.NAME, "", Metric.COST, true),
            new Picture("leases", "Memory of a held lease", ManyLeases.NAME, "", Metric.LEASE_BYTES, false),
            new Picture("crash", "After the holder was killed", Crash.NAME, "", Metric.TAKE_OVER, false),
            new Picture("nodes", "One of five nodes is unhealthy", NodesUnwell.NAME, "", Metric.P99, true),
            new Picture("server", "Uncontended locks over HTTP", LockServers.NAME, "", Metric.PAIRS, true),
            new Picture("cluster", "Uncontended locks, three servers", StrictCluster.NAME, "N = 3", Metric.PAIRS, true),
            new Picture("cluster-hot", "One lock, three servers", StrictCluster.NAME, "one lock", Metric.PAIRS, true),
            new Picture(
                    "cluster-failover",
                    "After the leader was killed",
                    StrictCluster.NAME,
                    "leader",
                    Metric.FAILOVER,
                    false));

    private Pictures() {}
}
