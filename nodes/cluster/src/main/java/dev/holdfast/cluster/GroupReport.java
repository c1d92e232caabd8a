package dev.holdfast.cluster;

import dev.holdfast.cluster.ClusterStatus.Health;
import dev.holdfast.cluster.ClusterStatus.LogPosition;
import dev.holdfast.cluster.ClusterStatus.Snapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The report of a member about its replica of a group.
 *
 * @param index the index of the group
 * @param answer what the member said about the group
 * @param lag how many entries of the leader's log the member lacks; empty if the leader has not answered
 */
record GroupReport(int index, PeerMessage answer, OptionalLong lag) {

    private static final String LAST = "last";
    private static final String SNAPSHOT = "snapshot";
    private static final String PROBLEM = "problem";
    private static final String STOPPED = "stopped";

    /**
     * Returns the report of a member that has answered.
     *
     * @param leaderLast the last entry of the leader; empty if it has not answered
     */
    static GroupReport of(int group, PeerMessage answer, OptionalLong leaderLast) {
        return new GroupReport(
                group,
                answer,
                !answer.get(LAST).isEmpty() && leaderLast.isPresent()
                        ? OptionalLong.of(Math.max(leaderLast.getAsLong() - answer.number(LAST), 0))
                        : OptionalLong.empty());
    }

    /** Returns whether the replica runs: it has a log, and has not stopped. */
    boolean runs() {
        return !answer.get(LAST).isEmpty();
    }

    boolean leads() {
        return StatusReports.leads(answer);
    }

    /** Returns the health of the member in this group. */
    Health health() {
        if (answer.get(STOPPED).equals("true")) {
            return Health.STOPPED;
        }
        if (!runs()) {
            return Health.STARTING;
        }
        if (answer.get("leader").isEmpty()) {
            return Health.WITHOUT_LEADER;
        }
        return lag.orElse(0) > Health.MOST_LAG ? Health.BEHIND : Health.WELL;
    }

    /** Returns the health in words. */
    String detail() {
        return switch (health()) {
            case STARTING -> answer.get(PROBLEM).isEmpty() ? "it takes no part yet" : answer.get(PROBLEM);
            case STOPPED -> answer.get(PROBLEM).isEmpty() ? "it has stopped" : answer.get(PROBLEM);
            case WITHOUT_LEADER -> "it knows no leader";
            case BEHIND -> "it lacks " + lag.orElse(0) + " entries of the leader's log";
            default -> leads() ? "it leads" : "it follows server " + answer.get("leader");
        };
    }

    /** Returns how far the log of the member is. */
    LogPosition position() {
        return new LogPosition(
                answer.number("term"),
                answer.number(LAST),
                answer.number("committed"),
                answer.number("applied"),
                lag,
                answer.get(SNAPSHOT).isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Snapshot(
                                answer.number(SNAPSHOT),
                                Duration.ofMillis(answer.number("age")),
                                answer.number("bytes"))));
    }
}
