package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Servers;
import java.util.ArrayList;
import java.util.List;

/** All faults there are. */
public final class Faults {

    private Faults() {}

    /**
     * Returns those through which mutual exclusion is promised: clocks are left alone, and memory is lost only by restarts. The one that people
     * argue about comes three times in each round.
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

    /** Returns those by which no server forgets what it has answered: what was sealed stays sealed. */
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

    /** Returns those that take a server's memory: harmless in quarantine only. */
    public static List<Fault> ofMemory() {
        return List.of(
                new KillAndRestartEmpty(), new ForgetInTheIntersection(), new KillMajority(), new TruncateFile());
    }

    /** What only an operator can do, and must not. */
    public static List<Fault> ofOperators() {
        return List.of(new FlushAll(), new FlushMajority());
    }

    /** Clocks that are set. */
    public static List<Fault> ofClocks() {
        return List.of(new StepClock(), new StepClockInTheIntersection(), new StepClocksOfMajority());
    }
}
