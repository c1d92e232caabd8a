package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.ClusterServers;
import dev.holdfast.torture.world.Servers;
import java.util.ArrayList;
import java.util.List;

/** The lists of faults. */
public final class Faults {

    private Faults() {}

    /**
     * Returns the faults under which mutual exclusion is promised. They change no clock, and only restarts lose state.
     * The most disputed fault comes three times in each round.
     */
    public static List<Fault> withinTheAssumptions(Servers servers) {
        List<Fault> faults = new ArrayList<>(List.of(
                new KillAndRestartWithFile(),
                new KillAndRestartEmpty(),
                new ForgetAgainInQuarantine(),
                new ForgetOneAfterTheOther(),
                new ForgetInTheIntersection(),
                new TruncateFile(),
                new KillMajority(),
                new StopServer(),
                new StopServersOneByOne(),
                new StopClient(),
                new StopClientInCriticalSection(),
                new StopClientInCriticalSection(),
                new StopClientInCriticalSection(),
                new KillClient(),
                new FlushScripts(),
                new KillConnections(),
                new RunOutOfMemory(),
                new OverflowPushes(),
                new RunSlowScript(),
                new DelayLinks(),
                new PartitionServers(),
                new PartitionClient(),
                new BreakConnections()));
        if (!servers.networks().isEmpty()) {
            faults.add(new LosePackets());
        }
        return faults;
    }

    /** Returns the faults by which no server loses a write that it has answered, so sealed work stays sealed. */
    public static List<Fault> thatForgetNothing() {
        return List.of(
                new StopServer(),
                new StopServersOneByOne(),
                new StopClient(),
                new StopClientInCriticalSection(),
                new KillClient(),
                new FlushScripts(),
                new KillConnections(),
                new RunSlowScript(),
                new DelayLinks(),
                new PartitionServers(),
                new PartitionClient(),
                new BreakConnections());
    }

    /** Returns the faults by which a server loses its state. Only quarantine makes them harmless. */
    public static List<Fault> ofMemory() {
        return List.of(
                new KillAndRestartEmpty(), new ForgetInTheIntersection(), new KillMajority(), new TruncateFile());
    }

    /** Returns the faults that only an operator can cause, and must not. */
    public static List<Fault> ofOperators() {
        return List.of(new FlushAll(), new FlushMajority());
    }

    /** Returns the faults that set clocks. */
    public static List<Fault> ofClocks() {
        return List.of(new StepClock(), new StepClockInTheIntersection(), new StepClocksOfMajority());
    }

    /** Returns the faults of PostgreSQL servers, none of which costs a durable server with a synchronous standby a commit. */
    public static List<Fault> ofPostgres() {
        return List.of(
                new KillAndRestartWithFile(),
                new KillAndRestartWithFile(),
                new PromoteStandby(true),
                new EndSessions(),
                new StopServer(),
                new StopClient(),
                new StopClientInCriticalSection(),
                new StopClientInCriticalSection(),
                new StopClientInCriticalSection(),
                new KillClient(),
                new DelayLinks(),
                new PartitionServers(),
                new PartitionClient(),
                new BreakConnections());
    }

    /** Returns the promotion of standbys that lack the last commits. */
    public static List<Fault> ofAsynchronousStandbys() {
        return List.of(new PromoteStandby(false));
    }

    /** Returns the faults of the servers of a cluster, under which it loses nothing, and delays waiters without reordering them. */
    public static List<Fault> ofClusterServers(ClusterServers cluster) {
        List<Fault> faults = new ArrayList<>(List.of(
                new KillServer(true),
                new KillServer(true),
                new KillServer(true),
                new KillServer(false),
                new StopLeader(),
                new StopLeader(),
                new StopServer(),
                new RestartLeader(),
                new MoveLead(),
                new MoveLead(),
                new MoveLead(),
                new KillAndRestartWithFile(),
                new ReplaceServer()));
        if (cluster.haveSteppableClocks()) {
            faults.addAll(List.of(new StepClocks(), new StepClocks(), new SlowDisk()));
        }
        if (!cluster.machines().isEmpty()) {
            faults.addAll(List.of(
                    new CutServer(true),
                    new CutServer(true),
                    new CutServer(false),
                    new CutPair(),
                    new FillDisks(false),
                    new FillDisks(true)));
        }
        return faults;
    }

    /** Returns the faults of a cluster and of its clients, under which it loses nothing. */
    public static List<Fault> ofCluster(ClusterServers cluster) {
        List<Fault> faults = ofClusterServers(cluster);
        faults.addAll(List.of(
                new StopClient(),
                new StopClientInCriticalSection(),
                new KillClient(),
                new DelayLinks(),
                new PartitionServers(),
                new PartitionClient(),
                new BreakConnections()));
        return faults;
    }

    /** Returns the fault by which a cluster does lose what it has confirmed, so that a run must find violations. */
    public static List<Fault> thatRollBackACluster() {
        return List.of(new RollBackMajority());
    }
}
