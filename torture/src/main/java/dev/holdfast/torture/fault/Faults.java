package dev.holdfast.torture.fault;

import java.util.List;

/** All faults there are. */
public final class Faults {

    private Faults() {}

    /** Those through which mutual exclusion is promised: clocks are left alone, and memory is lost only by restarts. */
    public static List<Fault> withinTheAssumptions() {
        return List.of(
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
                new KillClient(),
                new FlushScripts(),
                new KillConnections(),
                new RunOutOfMemory(),
                new OverflowPushes(),
                new RunSlowScript(),
                new DelayLinks(),
                new PartitionServers(),
                new PartitionClient(),
                new BreakConnections());
    }

    /** Those that break an assumption when they strike a client without quarantine, or at all. */
    public static List<Fault> beyondTheAssumptions() {
        return List.of(new KillAndRestartEmpty(), new ForgetInTheIntersection(), new FlushAll(), new FlushMajority());
    }
}
