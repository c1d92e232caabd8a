package dev.holdfast.simulator;

import java.util.List;
import java.util.function.Consumer;

/** Something that goes wrong, at a moment and for a time that the schedule's seed decides. */
public enum Fault {
    /** A client and a node can't reach each other; then everything that was under way arrives, or the connection breaks. */
    PARTITION(schedule -> schedule.anyLinks(1).forEach(link -> partition(schedule, link, true, true))),
    /** A client's requests do not reach a node, but the node's messages reach the client. */
    REQUESTS_HELD(schedule -> schedule.anyLinks(1).forEach(link -> partition(schedule, link, true, false))),
    /** A node's messages do not reach a client, but the client's requests reach the node. */
    ANSWERS_HELD(schedule -> schedule.anyLinks(1).forEach(link -> partition(schedule, link, false, true))),
    /** A node is cut off from all clients. */
    NODE_CUT_OFF(schedule -> {
        SimServer server = schedule.anyServer();
        schedule.links(link -> link.server() == server).forEach(link -> partition(schedule, link, true, true));
    }),
    /** A client is cut off from most nodes, or all. */
    CLIENT_CUT_OFF(schedule -> {
        SimClient client = schedule.anyClient();
        client.links().stream()
                .filter(link -> schedule.chance(0.8))
                .forEach(link -> partition(schedule, link, true, true));
    }),
    /** A connection breaks; requests under way to the node may still arrive. */
    BREAK(schedule -> schedule.anyLinks(1).forEach(link -> breakOff(schedule, link))),
    /** A connection breaks, and requests that were under way to the node arrive much later. */
    GHOST(schedule -> schedule.anyLinks(2).forEach(link -> {
        Connection connection = link.connection();
        if (connection != null && !connection.isBroken()) {
            connection.breakOffLeavingGhosts(schedule.slowNanos());
        }
    })),
    /** A node is killed, and restarts with all its state. */
    CRASH(schedule -> crash(schedule, SimServer.Memory.KEPT)),
    /** A node is killed, and restarts without the state of the last second. */
    CRASH_AND_LOSE_A_SECOND(schedule -> crash(schedule, SimServer.Memory.WITHOUT_THE_LAST_SECOND)),
    /** A node is killed, and restarts with nothing. */
    CRASH_AND_FORGET(schedule -> crash(schedule, SimServer.Memory.NONE)),
    /** A node is killed, and its replica is promoted behind its address, with the state that was replicated by then; in rare cases, there is none. */
    PROMOTION(schedule -> {
        SimServer server = schedule.anyServer();
        if (server.isUp()) {
            server.crash();
            long lag = schedule.replicaLagNanos();
            schedule.lasting(schedule.span() / 5, () -> server.startFromReplica(lag));
        }
    }),
    /** The next node in turn restarts with nothing, as soon as the one before it votes again and clients have had time to use the locks. */
    ROLLING_RESTART(Schedule::restartNext),
    /** A node is shut down cleanly, and restarts soon. */
    STOP(schedule -> {
        SimServer server = schedule.anyServer();
        if (server.isUp()) {
            server.stop();
            schedule.lasting(schedule.span() / 10, () -> server.start(SimServer.Memory.NONE));
        }
    }),
    /** The disk of a node is full, or fails, and has room again after a while. */
    DISK_FAILS(schedule -> {
        SimServer server = schedule.anyServer();
        server.failDisk();
        schedule.lasting(schedule.span(), server::mendDisk);
    }),
    /** A node is killed, and restarts with an empty disk. */
    DISK_IS_LOST(schedule -> {
        SimServer server = schedule.anyServer();
        if (server.isUp()) {
            server.crash();
            schedule.lasting(schedule.span() / 4, () -> {
                server.loseDisk();
                server.start(SimServer.Memory.NONE);
            });
        }
    }),
    /** Nodes are killed and restart with empty disks, while another node cannot be reached. Meanwhile an operator bootstraps the set. */
    DISKS_ARE_LOST(Fault::loseDisks),
    /** All nodes are taken down until no vote of theirs can last, and start with empty disks: a set that is new again. */
    NEW_SET(Schedule::startANewSet),
    /** An operator bootstraps the set, whether it is new or not. */
    BOOTSTRAP(Bootstrapping::start),
    /** All nodes are killed at once, and restart one by one without the state of the last second. */
    POWER_CUT(schedule ->
            schedule.servers().forEach(server -> crash(schedule, server, SimServer.Memory.WITHOUT_THE_LAST_SECOND))),
    /** A node pauses. */
    NODE_STALLS(schedule -> {
        SimServer server = schedule.anyServer();
        server.pause();
        schedule.lasting(schedule.span(), server::resume);
    }),
    /** A client pauses. */
    CLIENT_PAUSES(schedule -> {
        SimClient client = schedule.anyClient();
        client.pause();
        schedule.lasting(schedule.span(), client::resume);
    }),
    /** A client pauses between its check of a lease and its write. */
    HOLDER_PAUSES(schedule -> schedule.anyClient().pauseBeforeAWrite(schedule.span())),
    /** A client's machine sleeps: its monotonic clock stops, but its wall clock does not. */
    CLIENT_SLEEPS(schedule -> {
        SimClient client = schedule.anyClient();
        client.suspend();
        schedule.lasting(schedule.span(), client::resume);
    }),
    /**
     * A client's machine is frozen, as in a live migration: both its clocks stop, and the client does not see its own pause.
     * Sometimes its connections break in the meantime.
     */
    CLIENT_FREEZES(schedule -> {
        SimClient client = schedule.anyClient();
        client.freeze();
        if (schedule.chance(0.2)) {
            client.links().forEach(link -> breakOff(schedule, link));
        }
        schedule.lasting(schedule.freezeMillis(), client::resume);
    }),
    /** A client's machine is frozen twice in quick succession, before the client can have decided whose clock stepped. */
    CLIENT_FREEZES_TWICE(schedule -> {
        SimClient client = schedule.anyClient();
        client.freeze();
        schedule.lasting(schedule.freezeMillis(), () -> {
            client.resume();
            if (!schedule.isCalm()) {
                schedule.after(schedule.momentNanos(), () -> freezeAgain(schedule, client));
            }
        });
    }),
    /** A client is killed; another takes its place. */
    CLIENT_DIES(Schedule::replaceAClient),
    /** A client is closed in the middle of its work; another takes its place. */
    CLIENT_CLOSES(Schedule::closeAClient),
    /** A client's wall clock is set forward. */
    CLIENT_CLOCK_FORWARD(schedule -> schedule.anyClient().stepWall(schedule.span())),
    /** A client's wall clock is set back. */
    CLIENT_CLOCK_BACK(schedule -> schedule.anyClient().stepWall(-schedule.span())),
    /** A node's clock is set forward. */
    NODE_CLOCK_FORWARD(schedule -> schedule.step(schedule.anyServer(), schedule.span())),
    /** A node's clock is set back. */
    NODE_CLOCK_BACK(schedule -> schedule.step(schedule.anyServer(), -schedule.span())),
    /** The clocks of all nodes are set forward at once. */
    ALL_CLOCKS_FORWARD(schedule -> {
        long span = schedule.span();
        schedule.servers().forEach(server -> schedule.step(server, span));
    }),
    /** The leader of a cluster is killed, and another server is elected. */
    LEADER_DIES(schedule -> cluster(schedule).killLeader()),
    /** The leader of a cluster is stalled, as by SIGSTOP. Another server is elected, and the former leader notices that late. */
    LEADER_STALLS(schedule -> cluster(schedule).stallLeader(schedule.span())),
    /** The leader of a cluster commits nothing for a while, as with a slow disk, and keeps the lead. */
    LOG_STALLS(schedule -> cluster(schedule).stallLog(schedule.span())),
    /** The leader of a cluster hands the lead over. */
    LEADER_HANDS_OVER(schedule -> cluster(schedule).handOver()),
    /** A server of a cluster that does not lead restarts. */
    FOLLOWER_RESTARTS(schedule -> cluster(schedule).restartFollower()),
    /** The wall clock of a server of a cluster is set by up to an hour, forward or back. */
    CLUSTER_CLOCK_STEPS(schedule -> cluster(schedule).stepWall()),
    /** A node loses all its state while it runs, as after FLUSHALL. */
    FLUSH(schedule -> schedule.anyServer().flush());

    /** The faults that a lock must survive with no more effect than a delay. */
    static final List<Fault> SURVIVED = List.of(
            PARTITION,
            REQUESTS_HELD,
            ANSWERS_HELD,
            NODE_CUT_OFF,
            CLIENT_CUT_OFF,
            BREAK,
            BREAK,
            GHOST,
            GHOST,
            CRASH,
            CRASH_AND_LOSE_A_SECOND,
            CRASH_AND_FORGET,
            NODE_STALLS,
            CLIENT_PAUSES,
            HOLDER_PAUSES,
            CLIENT_DIES,
            CLIENT_CLOCK_FORWARD);

    private static final int LONGEST_RESTART_MILLIS = 30;

    @SuppressWarnings("ImmutableEnumChecker") // the steps keep no state
    private final Consumer<Schedule> strike;

    Fault(Consumer<Schedule> strike) {
        this.strike = strike;
    }

    void strike(Schedule schedule) {
        strike.accept(schedule);
    }

    private static SimCluster cluster(Schedule schedule) {
        return schedule.anyServer().cluster().orElseThrow();
    }

    private static void freezeAgain(Schedule schedule, SimClient client) {
        if (!schedule.isCalm() && client.isAlive() && client.machine().runs()) {
            client.freeze();
            schedule.lasting(schedule.freezeMillis(), client::resume);
        }
    }

    private static void partition(Schedule schedule, SimLink link, boolean out, boolean in) {
        link.block(out, in);
        schedule.lasting(schedule.span(), () -> {
            if (schedule.chance(0.5)) {
                breakOff(schedule, link);
            }
            link.unblock();
        });
    }

    private static void breakOff(Schedule schedule, SimLink link) {
        Connection connection = link.connection();
        if (connection != null) {
            connection.breakOff(schedule.chance(0.5));
        }
    }

    private static void loseDisks(Schedule schedule) {
        SimServer remaining = schedule.anyServer();
        remaining.pause();
        schedule.lasting(schedule.span(), remaining::resume);
        for (SimServer server : schedule.servers()) {
            if (server != remaining && server.isUp()) {
                server.crash();
                schedule.lasting(schedule.random().nextLong(LONGEST_RESTART_MILLIS), () -> {
                    server.loseDisk();
                    server.start(SimServer.Memory.NONE);
                });
            }
        }
        schedule.after(schedule.momentNanos(), () -> Bootstrapping.start(schedule));
    }

    private static void crash(Schedule schedule, SimServer.Memory memory) {
        crash(schedule, schedule.anyServer(), memory);
    }

    private static void crash(Schedule schedule, SimServer server, SimServer.Memory memory) {
        if (server.isUp()) {
            server.crash();
            schedule.lasting(schedule.span() / 2, () -> server.start(memory));
        }
    }
}
