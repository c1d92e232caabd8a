package dev.holdfast.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The state of a cluster as one of its servers sees it.
 *
 * @param cluster the name of the cluster
 * @param server the name of the server that made this report
 * @param leader the name of the server that leads as far as this server knows
 * @param term the term that this server has reached. Each election begins another one
 * @param members all servers that take part, as far as this server knows, by address
 */
public record ClusterStatus(String cluster, String server, Optional<String> leader, long term, List<Member> members) {

    public ClusterStatus {
        members = List.copyOf(members);
    }

    /** The part of a member in the cluster. */
    public enum Role {
        LEADER,
        FOLLOWER,
        /** The member does not answer, so its role is not known. */
        UNKNOWN,
    }

    /**
     * One server that takes part.
     *
     * @param name its name; its address if this server has never heard from it
     * @param address its address for the traffic between servers
     * @param role its part, by its own report
     * @param reachable whether it has answered this server now
     * @param lastContact the time since it last answered this server; empty if it never has in this run
     * @param log how far its log is, by its own report; empty if it has not answered
     */
    public record Member(
            String name,
            String address,
            Role role,
            boolean reachable,
            Optional<Duration> lastContact,
            Optional<LogPosition> log) {}

    /**
     * The position of a server in the log. Each entry has an index, which grows by one.
     *
     * @param last the last entry on its disk
     * @param committed the last entry that it knows to be on the disks of a majority
     * @param applied the last entry that its lock table contains
     * @param snapshot the last entry that its last snapshot contains; 0 without a snapshot
     * @param snapshotAge the age of its last snapshot, by its wall clock; empty without a snapshot
     */
    public record LogPosition(long last, long committed, long applied, long snapshot, Optional<Duration> snapshotAge) {}
}
