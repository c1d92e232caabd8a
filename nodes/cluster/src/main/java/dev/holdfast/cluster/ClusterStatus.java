package dev.holdfast.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a cluster as one of its servers sees it.
 *
 * @param cluster the name of the cluster
 * @param server the name of the server that made this report
 * @param leader the name of the server that leads as far as this server knows
 * @param term the term that this server has reached. Each election begins another one
 * @param members all servers that take part, as far as this server knows, by name
 */
public record ClusterStatus(String cluster, String server, Optional<String> leader, long term, List<Member> members) {

    public ClusterStatus {
        members = List.copyOf(members);
    }

    /** Returns how many members a majority has. */
    public int majority() {
        return members.size() / 2 + 1;
    }

    /** Returns how many members take part now, as far as this server can see. */
    public int takingPart() {
        return (int)
                members.stream().filter(member -> member.health().takesPart()).count();
    }

    /** The part of a member in the cluster. */
    public enum Role {
        LEADER,
        FOLLOWER,
        /** The member does not take part, or does not answer. */
        UNKNOWN,
    }

    /** The health of a member, as far as another one knows. */
    public enum Health {
        /** The member leads, or its log is close to that of the leader. */
        WELL(true),
        /** The member takes part, and lacks more than {@value #MOST_LAG} entries of the leader's log. */
        BEHIND(true),
        /** The member runs, and knows no leader. */
        WITHOUT_LEADER(true),
        /** The member runs, and waits for other servers before it takes part. */
        STARTING(false),
        /** The member runs, and has stopped taking part: its disk failed, or it could not apply an entry. */
        STOPPED(false),
        /** A server with other data runs at the member's address, or wanted to: the member has lost its disk. */
        OTHER_DATA(false),
        /** The member does not answer. */
        SILENT(false);

        /** How many entries of the leader's log a healthy follower may lack. Under load, a follower lacks those that are under way. */
        static final long MOST_LAG = 1_000;

        private final boolean takesPart;

        Health(boolean takesPart) {
            this.takesPart = takesPart;
        }

        /** Returns whether the member takes part in the consensus. */
        public boolean takesPart() {
            return takesPart;
        }
    }

    /**
     * One server that takes part.
     *
     * @param name its name; its address if this server has never heard from it
     * @param address its address for the traffic between servers
     * @param role its part, by its own report
     * @param condition its health, as far as this server knows
     * @param lastContact the time since it last answered this server; empty if it never has in this run
     * @param log how far its log is, by its own report; empty if it has not answered, or does not take part
     */
    public record Member(
            String name,
            String address,
            Role role,
            Condition condition,
            Optional<Duration> lastContact,
            Optional<LogPosition> log) {

        /** Returns the health of the member, as far as this server knows. */
        public Health health() {
            return condition.health();
        }

        /** Returns the health in words. */
        public String detail() {
            return condition.detail();
        }
    }

    /**
     * The health of a member, and the reason for it in words.
     *
     * @param detail for people; a sentence without its full stop
     */
    public record Condition(Health health, String detail) {}

    /**
     * The position of a server in the log. Each entry has an index, which grows by one.
     *
     * @param term the term that the server has reached
     * @param last the last entry on its disk
     * @param committed the last entry that it knows to be on the disks of a majority
     * @param applied the last entry that its lock table contains
     * @param lag how many entries of the leader's log it lacks; empty if the leader does not answer
     * @param snapshot its last snapshot; empty without one
     */
    public record LogPosition(
            long term, long last, long committed, long applied, OptionalLong lag, Optional<Snapshot> snapshot) {}

    /**
     * The last snapshot of a server.
     *
     * @param index the last entry that it contains
     * @param age the time since it was written, by the server's wall clock
     * @param bytes its size on the disk
     */
    public record Snapshot(long index, Duration age, long bytes) {}
}
