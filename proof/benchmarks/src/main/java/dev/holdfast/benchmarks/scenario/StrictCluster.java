package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.world.EtcdProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Locks of three servers, of which a majority has each lock on its disk before it is granted. */
public final class StrictCluster implements Scenario {

    public static final String NAME = "cluster";

    /** The setting of readers and writers. */
    public static final String READERS =
            "readers and writers, N = 3, 2 clients, 9 readers and 1 writer each, 1 ms held";

    /** The setting of hand-overs. */
    public static final String HAND_OVER = "hand-over, N = 3, 2 clients";

    /** The setting in which the leader is killed. */
    public static final String FAILOVER = "leader killed (kill -9), N = 3";

    private static final List<Side> SIDES =
            List.of(Side.HOLDFAST_CLUSTER, Side.HOLDFAST_CLUSTER_AT_NODES, Side.ETCD_CLUSTER, Side.ZOOKEEPER);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String question() {
        return "How fast are locks that survive the loss of any server? Each side has three servers of its own on this machine, as processes with their data on its disk."
                + " A majority of the servers flushes each change to the disk before the change is confirmed."
                + " The processor time and the bytes written are those of all three servers; the bytes are whole pages, as Linux counts them for each process."
                + " One hot lock has one thread in each process."
                + " Readers and writers: etcd has no such lock."
                + " Many waiters: they wait without threads, which Curator's locks do not offer, so ZooKeeper has no figure. With hand-over on, they queue in their own client. The cost is ∞ if there is no hand-over within ten seconds."
                + " Sessions: clients in one process hold a lock each, and do nothing else for a while."
                + " Leader killed: the time from SIGKILL to the next grant, while a connected client requests another free lock every 100 ms.";
    }

    /** Returns the name of the setting with this many uncontended threads. */
    public static String threads(int threads) {
        return "N = 3, " + threads + (threads == 1 ? " thread" : " threads");
    }

    /** Returns the name of the setting in which this many processes want one lock. */
    public static String processes(int processes) {
        return "one lock, N = 3, " + processes + " processes";
    }

    /** Returns the name of the setting with this many waiters. */
    public static String waiters(int waiters) {
        return String.format(Locale.ROOT, "waiters, N = 3, %,d", waiters);
    }

    /** Returns the name of the setting with this many idle sessions. */
    public static String sessions(int sessions) {
        return "sessions, N = 3, " + sessions + " with a lock each";
    }

    @Override
    public void run(World world) throws Exception {
        List<Side> sides = new ArrayList<>(world.wanted(SIDES));
        if (sides.contains(Side.ETCD_CLUSTER) && EtcdProcess.version().isEmpty()) {
            System.out.println("etcd is not on this machine, and not measured");
            sides.remove(Side.ETCD_CLUSTER);
        }
        try (Trios trios = Trios.start(world, sides)) {
            ClusterTurns turns = new ClusterTurns(world, trios);
            List<Side> plain = without(sides, Side.HOLDFAST_CLUSTER_AT_NODES);
            turns.warmUpServers(plain);
            turns.uncontended(plain);
            turns.hot(plain);
            turns.handOver(plain);
            turns.readers(without(plain, Side.ETCD_CLUSTER));
            ClusterWaits waits = new ClusterWaits(world, trios);
            waits.waiters(without(sides, Side.ZOOKEEPER));
            waits.sessions(plain);
            waits.failover(plain);
        }
    }

    private static List<Side> without(List<Side> sides, Side one) {
        return sides.stream().filter(side -> side != one).toList();
    }
}
