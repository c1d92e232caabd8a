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
 * @param groups the groups into which the cluster divides its locks, by their indexes; one or more
 * @param members all servers that take part, as far as this server knows, by name
 */
public record ClusterStatus(String cluster, String server, List<Group> groups, List<Member> members) {

    public ClusterStatus {
        groups = List.copyOf(groups);
        members = List.copyOf(members);
    }

    /** Returns the name of the server that leads the first group, as far as this server knows. In a cluster with one group, it leads the cluster. */
    public Optional<String> leader() {
        return groups.get(0).leader();
    }

    /** Returns the highest term of a group that this server has reached. Each election of a group begins another term of the group. */
    public long term() {
        return groups.stream().mapToLong(Group::term).max().orElse(0);
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

    /**
     * A group of locks, as the server that made the report sees it.
     *
     * @param index its index, from 0
     * @param leader the name of the server that leads it as far as this server knows
     * @param term the term that this server has reached in it
     * @param committed the last entry of its log that this server knows to be on the disks of a majority; 0 before it takes part
     */
    public record Group(int index, Optional<String> leader, long term, long committed) {}

    /** The role of a member in the cluster. */
    public enum Role {
        /** The member leads at least one group. */
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
     * @param part its part in the groups, by its own report
     * @param condition its health, as far as this server knows
     * @param lastContact the time since it last answered this server; empty if it never has in this run
     * @param log how far its log is, by its own report; empty if it has not answered, or does not take part
     */
    public record Member(
            String name,
            String address,
            Part part,
            Condition condition,
            Optional<Duration> lastContact,
            Optional<LogPosition> log) {

        /** Returns the role of the member, by its own report. */
        public Role role() {
            return part.role();
        }

        /** Returns the groups that the member leads, by its own report, in their order. */
        public List<Integer> led() {
            return part.led();
        }

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
     * The part of a member in the groups.
     *
     * @param role its role
     * @param led the indexes of the groups that it leads, in their order; none unless it is a leader
     */
    public record Part(Role role, List<Integer> led) {

        public Part {
            led = List.copyOf(led);
        }
    }

    /**
     * The health of a member, and the reason for it in words.
     *
     * @param detail for people; a sentence without its full stop
     */
    public record Condition(Health health, String detail) {}

    /**
     * The position of a server in the log. Each entry has an index, which grows by one. With several groups, which have a log each, the indexes, the lag and
     * the size of the snapshot are sums over all groups.
     *
     * @param term the term that the server has reached; with several groups, the highest one
     * @param last the last entry on its disk
     * @param committed the last entry that it knows to be on the disks of a majority
     * @param applied the last entry that its lock table contains
     * @param lag how many entries of the leader's log it lacks; empty if a leader does not answer
     * @param snapshot its last snapshot; empty without one
     */
    public record LogPosition(
            long term, long last, long committed, long applied, OptionalLong lag, Optional<Snapshot> snapshot) {

        /** Returns the position in the logs of all groups. */
        static LogPosition sum(List<LogPosition> groups) {
            List<Snapshot> snapshots =
                    groups.stream().flatMap(one -> one.snapshot.stream()).toList();
            return groups.size() == 1
                    ? groups.get(0)
                    : new LogPosition(
                            groups.stream().mapToLong(LogPosition::term).max().orElse(0),
                            groups.stream().mapToLong(LogPosition::last).sum(),
                            groups.stream().mapToLong(LogPosition::committed).sum(),
                            groups.stream().mapToLong(LogPosition::applied).sum(),
                            groups.stream().allMatch(one -> one.lag.isPresent())
                                    ? OptionalLong.of(groups.stream()
                                            .mapToLong(one -> one.lag.orElse(0))
                                            .sum())
                                    : OptionalLong.empty(),
                            snapshots.isEmpty() ? Optional.empty() : Optional.of(Snapshot.sum(snapshots)));
        }
    }

    /**
     * The last snapshot of a server. With several groups, it is the last snapshots of all of them.
     *
     * @param index the last entry that it contains
     * @param age the time since it was written, by the server's wall clock; with several groups, that of the oldest one
     * @param bytes its size on the disk
     */
    public record Snapshot(long index, Duration age, long bytes) {

        /** Returns the oldest age, and the sums of the rest. */
        static Snapshot sum(List<Snapshot> groups) {
            return new Snapshot(
                    groups.stream().mapToLong(Snapshot::index).sum(),
                    groups.stream().map(Snapshot::age).max(Duration::compareTo).orElse(Duration.ZERO),
                    groups.stream().mapToLong(Snapshot::bytes).sum());
        }
    }
}
