package dev.holdfast.simulator;

import dev.holdfast.simulator.Scenario.Clocks;
import dev.holdfast.simulator.Scenario.HandOver;
import dev.holdfast.simulator.Scenario.Kind;
import dev.holdfast.simulator.Scenario.Load;
import dev.holdfast.simulator.Scenario.Network;
import dev.holdfast.simulator.Scenario.Store;
import java.util.List;
import java.util.stream.Stream;

/** The scenarios of the simulator, each for the kind of bug that it finds best. */
public final class Scenarios {

    private static final Clocks GOOD_CLOCKS = new Clocks(500, 200, 50);
    private static final List<Integer> SHORT_TTLS = List.of(300, 500, 1_000);

    /** Nothing goes wrong, but clients' clocks differ. The scenario tests the order of the queue. */
    static final Scenario CALM = new Scenario(
            "calm",
            3,
            new Load(4, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0, 10, 0, 0, 0, 0),
            new Clocks(100, 5, 100),
            List.of(),
            100,
            8_000,
            Promise.ALL);

    /** Messages are late, doubled and lost, and nothing else happens. The scenario tests that nothing is left behind. */
    static final Scenario LOSSY = new Scenario(
            "lossy",
            5,
            new Load(4, 2, 6, 0.3, List.of(2_000, 4_000), 400, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.02, 80, 0, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            List.of(Fault.BREAK, Fault.GHOST, Fault.GHOST),
            100,
            8_000,
            Promise.ON_A_BAD_NETWORK);

    /** Everything at once, five nodes. */
    static final Scenario STORM = new Scenario(
            "storm",
            5,
            new Load(3, 2, 2, 0, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 1_500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            with(Fault.SURVIVED, Fault.CLIENT_CLOCK_BACK),
            120,
            10_000,
            Promise.UNDER_FAULTS);

    /** Everything at once, three nodes, all six modes. */
    static final Scenario MODES = new Scenario(
            "modes",
            3,
            new Load(3, 3, 1, 0.7, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 1_500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            Fault.SURVIVED,
            120,
            10_000,
            Promise.UNDER_FAULTS);

    /** Clients' machines sleep. */
    static final Scenario SLEEP = new Scenario(
            "sleep",
            3,
            new Load(3, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.02, 500, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            List.of(Fault.CLIENT_SLEEPS, Fault.CLIENT_SLEEPS, Fault.CLIENT_PAUSES, Fault.BREAK, Fault.NODE_STALLS),
            100,
            8_000,
            Promise.UNDER_FAULTS);

    /** Clients' machines are frozen, clocks and all, as in a live migration; clients' wall clocks are set. */
    static final Scenario FROZEN = new Scenario(
            "frozen",
            3,
            new Load(
                    3,
                    2,
                    1,
                    0.2,
                    SHORT_TTLS,
                    200,
                    0.5,
                    0.3,
                    200,
                    0.2,
                    new HandOver(List.of(0.0, 0.5, 1.0), List.of(0)),
                    Kind.HOLDFAST),
            new Network(0.02, 50, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            List.of(
                    Fault.CLIENT_FREEZES,
                    Fault.CLIENT_FREEZES,
                    Fault.CLIENT_FREEZES_TWICE,
                    Fault.CLIENT_FREEZES_TWICE,
                    Fault.CLIENT_CLOCK_FORWARD,
                    Fault.CLIENT_CLOCK_BACK,
                    Fault.CLIENT_PAUSES,
                    Fault.CLIENT_DIES,
                    Fault.BREAK,
                    Fault.CRASH),
            300,
            8_000,
            Promise.WHILE_CLIENTS_FREEZE);

    /** Nodes restart all the time, usually without their state. */
    static final Scenario FORGETFUL = new Scenario(
            "forgetful",
            3,
            new Load(4, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.02, 300, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            List.of(
                    Fault.CRASH_AND_FORGET,
                    Fault.CRASH_AND_FORGET,
                    Fault.CRASH_AND_LOSE_A_SECOND,
                    Fault.CRASH,
                    Fault.BREAK),
            400,
            10_000,
            Promise.UNDER_FAULTS);

    /** Nodes restart without their state, and clients disagree on when that was. No message is late or lost while a connection lasts. */
    static final Scenario SECONDS = new Scenario(
            "seconds",
            3,
            new Load(4, 2, 1, 0, List.of(500), 500, 0.8, 0, 40, 0.1, HandOver.NEVER, Kind.HOLDFAST),
            new Network(0, 10, 0, 0, 0, 0),
            GOOD_CLOCKS,
            List.of(Fault.CRASH_AND_FORGET, Fault.BREAK, Fault.BREAK),
            700,
            10_000,
            Promise.ON_A_GOOD_NETWORK,
            Store.REDIS_BY_THE_SECOND);

    /** Replicas are promoted behind nodes' addresses, without the latest state of their primaries. */
    static final Scenario FAILOVERS = new Scenario(
            "failovers",
            3,
            new Load(4, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.02, 300, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            List.of(Fault.PROMOTION, Fault.PROMOTION, Fault.PROMOTION, Fault.CRASH, Fault.CLIENT_PAUSES, Fault.BREAK),
            300,
            10_000,
            Promise.UNDER_FAULTS);

    /** Clocks run as differently as the drift allowance permits, and leases are used to their end. */
    static final Scenario DRIFT = new Scenario(
            "drift",
            3,
            new Load(4, 2, 1, 0, List.of(1_000, 2_000), 400, 0.1, 0.3, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.01, 100, 0, 0, 0, 0),
            new Clocks(4_900, 50, 50),
            List.of(Fault.CLIENT_PAUSES, Fault.CLIENT_DIES, Fault.BREAK),
            300,
            10_000,
            Promise.UNDER_FAULTS);

    /** Answers are often later than the drift allowance, and leases are used to their end. */
    static final Scenario LATE = new Scenario(
            "late",
            3,
            new Load(3, 1, 1, 0, List.of(300, 500), 200, 0.1, 0.6, 200, 0.2, HandOver.NEVER, Kind.HOLDFAST),
            new Network(0.4, 250, 0, 0, 0.1, 0),
            GOOD_CLOCKS,
            List.of(Fault.BREAK, Fault.CLIENT_DIES),
            300,
            8_000,
            Promise.UNDER_FAULTS);

    /**
     * Pushes are lost and stale, and positions in the queue are short-lived. There is one node, so its clients believe it without comparing it with
     * others.
     */
    static final Scenario STALE = new Scenario(
            "stale",
            1,
            new Load(4, 1, 1, 0, List.of(300, 500), 100, 0.5, 0.3, 200, 0.2, HandOver.NEVER, Kind.HOLDFAST),
            new Network(0.1, 500, 0, 0.2, 0.6, 0),
            GOOD_CLOCKS,
            List.of(Fault.REQUESTS_HELD, Fault.REQUESTS_HELD, Fault.ANSWERS_HELD, Fault.BREAK, Fault.CLIENT_DIES),
            80,
            8_000,
            Promise.UNDER_FAULTS);

    /** Messages take longer than positions in the queue last, and nodes' fences drift apart. The scenario tests how fences are raised. */
    static final Scenario SLOW = new Scenario(
            "slow",
            3,
            new Load(2, 1, 1, 0, List.of(500, 1_000), 60, 0.5, 0.0, 200, 0.2, HandOver.NEVER, Kind.HOLDFAST),
            new Network(0.02, 250, 0, 0.1, 0.1, 0.7),
            GOOD_CLOCKS,
            List.of(Fault.NODE_CUT_OFF, Fault.PARTITION, Fault.BREAK),
            200,
            8_000,
            Promise.UNDER_FAULTS);

    /** One node, which is quarantined after it has restarted. */
    static final Scenario SINGLE = new Scenario(
            "single",
            1,
            new Load(4, 2, 1, 0.4, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 1_000, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            Fault.SURVIVED,
            150,
            10_000,
            Promise.UNDER_FAULTS);

    /** One PostgreSQL server, whose synchronous standby is promoted. It forgets nothing, so there is one holder without any quarantine. */
    static final Scenario DATABASE = new Scenario(
            "database",
            1,
            new Load(4, 2, 1, 0.4, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 1_000, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            with(Fault.SURVIVED, Fault.PROMOTION, Fault.PROMOTION, Fault.CRASH, Fault.CLIENT_CLOCK_BACK),
            120,
            10_000,
            Promise.UNDER_FAULTS,
            Store.DATABASE);

    /** One PostgreSQL server, whose asynchronous standby is promoted: two holders are possible, but tokens must not fall. */
    static final Scenario DATABASE_FAILOVERS = new Scenario(
            "database-failovers",
            1,
            new Load(4, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            List.of(Fault.PROMOTION, Fault.PROMOTION, Fault.CRASH, Fault.CLIENT_PAUSES, Fault.BREAK),
            150,
            8_000,
            Promise.WHATEVER_CLOCKS_DO,
            Store.DATABASE_WITH_LAGGING_STANDBY);

    /** Three PostgreSQL servers: with a synchronous standby, with an asynchronous one, and one that loses its last commits in a crash. */
    static final Scenario DATABASES = new Scenario(
            "databases",
            3,
            new Load(4, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.02, 300, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            List.of(
                    Fault.PROMOTION,
                    Fault.PROMOTION,
                    Fault.CRASH_AND_LOSE_A_SECOND,
                    Fault.CRASH_AND_LOSE_A_SECOND,
                    Fault.CLIENT_PAUSES,
                    Fault.BREAK),
            200,
            10_000,
            Promise.UNDER_FAULTS,
            Store.DATABASES);

    /** One node, which loses all its state while it runs, as after a failover: two holders are possible, but tokens must not fall. */
    static final Scenario FLUSHES = new Scenario(
            "flushes",
            1,
            new Load(4, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            List.of(Fault.FLUSH, Fault.FLUSH, Fault.CRASH_AND_LOSE_A_SECOND, Fault.CLIENT_PAUSES, Fault.BREAK),
            100,
            8_000,
            Promise.WHATEVER_CLOCKS_DO);

    /** Clients use different ttls for one lock, and each quarantines nodes by its own ttl: two holders are possible, but tokens must not fall. */
    static final Scenario TTLS = new Scenario(
            "ttls",
            3,
            new Load(
                    4, 2, 1, 0.2, List.of(100, 300, 1_500), 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.02, 300, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            List.of(
                    Fault.CRASH_AND_FORGET,
                    Fault.CRASH_AND_LOSE_A_SECOND,
                    Fault.CRASH,
                    Fault.CLIENT_PAUSES,
                    Fault.CLIENT_DIES,
                    Fault.BREAK),
            300,
            8_000,
            Promise.WHILE_TTLS_DIFFER);

    /** The power fails for all nodes at once, again and again, and each node loses the state of the last second. */
    static final Scenario POWER_CUTS = new Scenario(
            "power-cuts",
            3,
            new Load(4, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.02, 300, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            List.of(Fault.POWER_CUT, Fault.CRASH_AND_LOSE_A_SECOND, Fault.CRASH, Fault.BREAK),
            1_000,
            10_000,
            Promise.UNDER_FAULTS);

    /** Nodes' clocks are set, so that nodes lose state while they run: two holders are possible, but stale writes past the token are not. */
    static final Scenario CLOCKS = new Scenario(
            "clocks",
            5,
            new Load(3, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            List.of(
                    Fault.NODE_CLOCK_FORWARD,
                    Fault.ALL_CLOCKS_FORWARD,
                    Fault.NODE_CLOCK_BACK,
                    Fault.HOLDER_PAUSES,
                    Fault.CLIENT_CUT_OFF,
                    Fault.BREAK),
            150,
            8_000,
            Promise.WHATEVER_CLOCKS_DO);

    /** Many turns of few clients want one lock, and hand it over among themselves, despite all faults. */
    static final Scenario HAND_OVER = new Scenario(
            "hand-over",
            3,
            new Load(2, 4, 1, 0, SHORT_TTLS, 200, 0.8, 0.05, 40, 0.2, HandOver.OFTEN, Kind.HOLDFAST),
            new Network(0.02, 500, 0.01, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            Fault.SURVIVED,
            150,
            8_000,
            Promise.UNDER_FAULTS);

    /**
     * Three clients with many waiters contend for one lock without faults. The scenario shows how many turns each client has, and how long the lock
     * is idle.
     */
    static final Scenario FAIR = new Scenario(
            "fair",
            3,
            new Load(
                    3,
                    10,
                    1,
                    0,
                    List.of(3_000),
                    3_000,
                    1,
                    0,
                    40,
                    0,
                    new HandOver(List.of(1.0), List.of(0, 800)),
                    Kind.HOLDFAST),
            new Network(0, 10, 0, 0, 0, 0),
            new Clocks(100, 5, 100),
            List.of(),
            100,
            4_000,
            Promise.ALL);

    /**
     * As {@link #FAIR}, but clients die, so that the nodes drop votes and grant the next one in an answer. No push names the waiter behind such a vote, since
     * the waiter was in the queue before.
     */
    static final Scenario FAIR_DEATHS = new Scenario(
            "fair-deaths",
            3,
            new Load(
                    3,
                    10,
                    1,
                    0,
                    List.of(1_500),
                    1_500,
                    1,
                    0,
                    40,
                    0,
                    new HandOver(List.of(1.0), List.of(0, 800)),
                    Kind.HOLDFAST),
            new Network(0, 10, 0, 0, 0, 0),
            new Clocks(100, 5, 100),
            List.of(Fault.CLIENT_DIES),
            400,
            8_000,
            Promise.ALL);

    /** Leases linger while other clients want their locks. */
    static final Scenario LINGER = new Scenario(
            "linger",
            3,
            new Load(3, 1, 2, 0, SHORT_TTLS, 200, 0.8, 0.05, 200, 0.2, HandOver.LINGERING, Kind.HOLDFAST),
            new Network(0.02, 500, 0.01, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            with(Fault.SURVIVED, Fault.CLIENT_SLEEPS),
            150,
            8_000,
            Promise.UNDER_FAULTS);

    /** One lease after the other is raised for more tokens, while nodes' clocks are set and other clients acquire the lock in between. */
    static final Scenario BLOCKS = new Scenario(
            "blocks",
            3,
            new Load(
                    3,
                    4,
                    1,
                    0,
                    List.of(500, 1_000),
                    200,
                    0.8,
                    0,
                    10,
                    1,
                    new HandOver(List.of(1.0, 0.0), List.of(200)),
                    Kind.HOLDFAST),
            new Network(0.02, 200, 0, 0.02, 0.02, 0.1),
            GOOD_CLOCKS,
            List.of(Fault.ALL_CLOCKS_FORWARD, Fault.NODE_CLOCK_FORWARD, Fault.CLIENT_CUT_OFF, Fault.BREAK),
            150,
            6_000,
            Promise.WHATEVER_CLOCKS_DO);

    /** Everything at once, and work is declared done. */
    static final Scenario SEALS = new Scenario(
            "seals",
            5,
            new Load(4, 2, 3, 0, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.ONCE),
            new Network(0.03, 1_500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            Fault.SURVIVED,
            120,
            10_000,
            Promise.UNDER_FAULTS);

    /** Clients are closed in the middle of attempts to acquire several locks or permits, or to lead. */
    static final Scenario CLOSING = new Scenario(
            "closing",
            3,
            new Load(3, 1, 2, 0, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.NEVER, Kind.CLOSING),
            new Network(0.02, 200, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            List.of(Fault.CLIENT_CLOSES, Fault.CLIENT_CLOSES, Fault.CLIENT_CLOSES, Fault.BREAK, Fault.NODE_CUT_OFF),
            150,
            3_000,
            Promise.WHILE_CLOSING);

    /** Clients of two versions take turns, as during an upgrade, everything at once. */
    static final Scenario VERSIONS = new Scenario(
            "versions",
            3,
            new Load(4, 2, 1, 0.2, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.TWO_VERSIONS),
            new Network(0.03, 500, 0.01, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            Fault.SURVIVED,
            150,
            8_000,
            Promise.UNDER_FAULTS);

    /** Leases move between clients, everything at once, over transports that double no request. */
    static final Scenario MOVING = new Scenario(
            "moving",
            3,
            new Load(3, 2, 2, 0.2, SHORT_TTLS, 200, 0, 0.6, 400, 0.2, HandOver.NEVER, Kind.MOVING),
            new Network(0.03, 500, 0, 0.02, 0.02, 0),
            GOOD_CLOCKS,
            Fault.SURVIVED,
            150,
            8_000,
            Promise.WHILE_LEASES_MOVE);

    private static final List<Fault> RESTARTS = with(
            Fault.SURVIVED,
            Fault.CRASH,
            Fault.CRASH,
            Fault.CRASH,
            Fault.STOP,
            Fault.STOP,
            Fault.STOP,
            Fault.DISK_FAILS,
            Fault.DISK_FAILS);

    /** One node that persists its promises, and knows after a crash how long it must not vote. */
    static final Scenario PROMISES = new Scenario(
            "promises",
            1,
            new Load(4, 2, 1, 0.3, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            RESTARTS,
            200,
            10_000,
            Promise.UNDER_FAULTS,
            Store.PROMISES);

    /** Three such nodes, which remember the work that is declared done. */
    static final Scenario PROMISED_SEALS = new Scenario(
            "promised-seals",
            3,
            new Load(4, 2, 3, 0, List.of(500), 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.ONCE),
            new Network(0.03, 500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            RESTARTS,
            150,
            10_000,
            Promise.UNDER_FAULTS,
            Store.PROMISES);

    /** One such node. A seal that it has reported to a client lasts, even if its disk refused to store the seal at first. */
    static final Scenario TOLD_SEALS = PROMISED_SEALS.withNodes("told-seals", 1);

    /** Three such nodes, whose disks are lost. A node counts by the age of its disk, which further restarts do not change. */
    static final Scenario LOST_DISKS = new Scenario(
            "lost-disks",
            3,
            new Load(4, 2, 1, 0.3, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            with(RESTARTS, Fault.DISK_IS_LOST, Fault.DISK_IS_LOST, Fault.DISK_IS_LOST, Fault.DISK_IS_LOST),
            120,
            10_000,
            Promise.UNDER_FAULTS,
            Store.PROMISES);

    /**
     * Three such nodes, whose disks are empty at first and are lost again and again, and operators who bootstrap the set at any time. As long as
     * one node knows that a client has used the set, that does no harm.
     */
    static final Scenario BOOTSTRAPS = new Scenario(
            "bootstraps",
            3,
            new Load(4, 2, 1, 0.1, List.of(1_000), 200, 0.2, 1, 400, 0, HandOver.NEVER, Kind.HOLDFAST),
            new Network(0.03, 300, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            List.of(
                    Fault.GHOST,
                    Fault.CRASH,
                    Fault.CLIENT_PAUSES,
                    Fault.DISK_FAILS,
                    Fault.DISK_IS_LOST,
                    Fault.DISK_IS_LOST,
                    Fault.DISKS_ARE_LOST,
                    Fault.DISKS_ARE_LOST,
                    Fault.DISKS_ARE_LOST,
                    Fault.NEW_SET,
                    Fault.NEW_SET,
                    Fault.BOOTSTRAP,
                    Fault.BOOTSTRAP,
                    Fault.BOOTSTRAP,
                    Fault.BOOTSTRAP),
            80,
            10_000,
            Promise.UNDER_FAULTS,
            Store.PROMISES_OF_A_NEW_SET);

    /** Nodes restart in turn, with nothing. Between two restarts, later holders use the values that earlier holders left. */
    static final Scenario ROLLING = new Scenario(
            "rolling",
            3,
            new Load(2, 1, 2, 0, List.of(150), 100, 1, 0, 60, 0.2, HandOver.NEVER, Kind.HOLDFAST),
            new Network(0, 10, 0, 0, 0, 0),
            GOOD_CLOCKS,
            List.of(Fault.ROLLING_RESTART),
            60,
            10_000,
            Promise.WHILE_FENCES_STAY);

    /** The same with work that is declared done, and many locks, so that clients request a typical lock once or twice between two restarts. */
    static final Scenario ROLLING_SEALS = new Scenario(
            "rolling-seals",
            3,
            new Load(3, 2, 40, 0, List.of(500), 200, 1, 0, 60, 0.2, HandOver.NEVER, Kind.ONCE),
            new Network(0, 10, 0, 0, 0, 0),
            GOOD_CLOCKS,
            List.of(Fault.ROLLING_RESTART),
            30,
            10_000,
            Promise.WHILE_FENCES_STAY);

    /**
     * The same with three ttls for one lock and quarantine by request. The nodes that did not restart remember the longest ttl, so that clients with
     * shorter ones count a restarted node no sooner.
     */
    static final Scenario ROLLING_TTLS = new Scenario(
            "rolling-ttls",
            3,
            new Load(4, 2, 1, 0, List.of(50, 100, 600), 100, 0.5, 0.3, 60, 0.2, HandOver.NEVER, Kind.HOLDFAST),
            new Network(0, 10, 0, 0, 0, 0),
            GOOD_CLOCKS,
            List.of(Fault.ROLLING_RESTART),
            60,
            10_000,
            Promise.WHILE_FENCES_STAY);

    private static final List<Fault> CHANGING_LEADERS = List.of(
            Fault.LEADER_DIES,
            Fault.LEADER_DIES,
            Fault.LEADER_STALLS,
            Fault.LEADER_STALLS,
            Fault.LOG_STALLS,
            Fault.LEADER_HANDS_OVER,
            Fault.FOLLOWER_RESTARTS,
            Fault.CLUSTER_CLOCK_STEPS,
            Fault.CLUSTER_CLOCK_STEPS,
            Fault.PARTITION,
            Fault.REQUESTS_HELD,
            Fault.ANSWERS_HELD,
            Fault.BREAK,
            Fault.GHOST,
            Fault.CLIENT_PAUSES,
            Fault.HOLDER_PAUSES,
            Fault.CLIENT_DIES,
            Fault.CLIENT_CLOCK_FORWARD,
            Fault.CLIENT_CLOCK_BACK);

    /** A strict cluster, whose leaders change all the time. It loses nothing, so values are never forgotten, and there is one holder without any quarantine. */
    static final Scenario CLUSTER = new Scenario(
            "cluster",
            1,
            new Load(4, 2, 2, 0.3, SHORT_TTLS, 200, 0.6, 0.3, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0.03, 500, 0.01, 0.05, 0.05, 0),
            new Clocks(4_900, 500, 50),
            CHANGING_LEADERS,
            80,
            10_000,
            Promise.WHILE_LEADERS_CHANGE,
            Store.CLUSTER);

    /** A strict cluster whose leaders die, hand over or commit nothing for seconds, with clients that never pause: nothing of this may reorder the queue. */
    static final Scenario CLUSTER_ORDER = new Scenario(
            "cluster-order",
            1,
            new Load(4, 2, 1, 0.2, List.of(2_000, 3_000), 1_000, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.HOLDFAST),
            new Network(0, 10, 0, 0, 0, 0),
            new Clocks(100, 5, 100),
            List.of(
                    Fault.LOG_STALLS,
                    Fault.LOG_STALLS,
                    Fault.LEADER_DIES,
                    Fault.LEADER_HANDS_OVER,
                    Fault.FOLLOWER_RESTARTS,
                    Fault.CLUSTER_CLOCK_STEPS),
            400,
            20_000,
            Promise.IN_ORDER_WHILE_LEADERS_CHANGE,
            Store.CLUSTER);

    /** The same with work that is declared done. */
    static final Scenario CLUSTER_SEALS = new Scenario(
            "cluster-seals",
            1,
            new Load(4, 2, 3, 0, SHORT_TTLS, 200, 0.8, 0.1, 200, 0.2, HandOver.SOMETIMES, Kind.ONCE),
            new Network(0.03, 500, 0.01, 0.05, 0.05, 0),
            GOOD_CLOCKS,
            CHANGING_LEADERS,
            80,
            10_000,
            Promise.WHILE_LEADERS_CHANGE,
            Store.CLUSTER);

    private static final List<Scenario> ALL = List.of(
            CALM,
            LOSSY,
            STORM,
            MODES,
            SLEEP,
            FROZEN,
            FORGETFUL,
            SECONDS,
            FAILOVERS,
            DRIFT,
            LATE,
            STALE,
            SLOW,
            SINGLE,
            DATABASE,
            DATABASE_FAILOVERS,
            DATABASES,
            FLUSHES,
            TTLS,
            POWER_CUTS,
            CLOCKS,
            HAND_OVER,
            FAIR,
            FAIR_DEATHS,
            LINGER,
            BLOCKS,
            SEALS,
            CLOSING,
            VERSIONS,
            MOVING,
            PROMISES,
            PROMISED_SEALS,
            TOLD_SEALS,
            LOST_DISKS,
            BOOTSTRAPS,
            ROLLING,
            ROLLING_SEALS,
            ROLLING_TTLS,
            CLUSTER,
            CLUSTER_ORDER,
            CLUSTER_SEALS);

    private Scenarios() {}

    /** Returns all scenarios. */
    public static List<Scenario> all() {
        return ALL;
    }

    /**
     * Returns the scenario of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Scenario named(String name) {
        return ALL.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scenario is '" + name + "', but must be one of "
                        + ALL.stream().map(Scenario::name).toList()));
    }

    private static List<Fault> with(List<Fault> faults, Fault... more) {
        return Stream.concat(faults.stream(), Stream.of(more)).toList();
    }
}
