package dev.holdfast.simulator;

import java.util.List;

/**
 * The events that may happen in a schedule.
 *
 * @param name its name on the command line
 * @param nodes how many nodes there are
 * @param load the clients and their wishes
 * @param network how messages travel while nothing is broken
 * @param clocks how far apart the clocks are
 * @param faults the faults that strike, each as often as it is in the list
 * @param faultEveryMillis the average time from one fault to the next
 * @param faultyMillis how long faults go on before all is well
 * @param promises the promises that must hold; the rest is only counted
 * @param store what the nodes keep
 */
public record Scenario(
        String name,
        int nodes,
        Load load,
        Network network,
        Clocks clocks,
        List<Fault> faults,
        int faultEveryMillis,
        int faultyMillis,
        List<Promise> promises,
        Store store) {

    /** Creates a scenario whose nodes persist nothing. */
    Scenario(
            String name,
            int nodes,
            Load load,
            Network network,
            Clocks clocks,
            List<Fault> faults,
            int faultEveryMillis,
            int faultyMillis,
            List<Promise> promises) {
        this(name, nodes, load, network, clocks, faults, faultEveryMillis, faultyMillis, promises, Store.REDIS);
    }

    /**
     * The clients and their wishes.
     *
     * @param clients processes, each on a machine of its own
     * @param workers the average number of tasks in a process that acquire locks one after the other; if leases are shared, it varies
     *     from 0 to twice this
     * @param locks how many locks there are
     * @param shared the share of attempts that ask for any mode rather than EX
     * @param ttlMillis the ttls in use, each as often as it is in the list; the quarantine is the longest
     * @param waiterTtlMillis how long a position in the queue lasts
     * @param extended the share of leases that extend themselves
     * @param longHolds the share of leases that are held for about a ttl or two, rather than for moments
     * @param holdMillis the longest time of a short hold; most short holds last at most a twentieth of it
     * @param hasty the share of turns that do not wait at all while faults still strike
     * @param handOver which turns of a client share their leases
     * @param kind the client under test
     */
    public record Load(
            int clients,
            int workers,
            int locks,
            double shared,
            List<Integer> ttlMillis,
            int waiterTtlMillis,
            double extended,
            double longHolds,
            int holdMillis,
            double hasty,
            HandOver handOver,
            Kind kind) {

        int longestTtlMillis() {
            return ttlMillis.stream().mapToInt(Integer::intValue).max().orElseThrow();
        }
    }

    /**
     * The leases that are handed over within a client, and linger after their release.
     *
     * @param shares the possible shares of turns that agree to a hand-over, one of which applies to a client
     * @param lingerMillis the possible times that leases linger, one of which applies to a client
     */
    public record HandOver(List<Double> shares, List<Integer> lingerMillis) {

        /** Every turn has a lease of its own. */
        static final HandOver NEVER = new HandOver(List.of(0.0), List.of(0));

        /** In some schedules, for some turns. */
        static final HandOver SOMETIMES = new HandOver(List.of(0.0, 0.5, 1.0), List.of(0, 0, 50));

        /** For nearly all turns. */
        static final HandOver OFTEN = new HandOver(List.of(0.9, 1.0), List.of(0, 0, 0, 20));

        /** Leases linger, some for less and some for more time than they last without an extension. */
        static final HandOver LINGERING = new HandOver(List.of(0.8, 1.0), List.of(10, 100, 800));
    }

    /** The client that acquires the locks. */
    public enum Kind {
        /** The production code. */
        HOLDFAST,
        /** The production code, beside clients that behave like those of the {@linkplain OldVersion first version}. */
        TWO_VERSIONS,
        /** The production code as several lock servers use it, between which the leases of their HTTP clients move. */
        MOVING,
        /** The production code, which usually declares the work done. */
        ONCE,
        /** The production code with several locks at once, semaphores and elections, while its clients are closed. */
        CLOSING,
        /** Redlock as the Redis documentation describes it. */
        TEXTBOOK,
    }

    /**
     * The behavior of messages. They take 0.1 to 1 ms.
     *
     * @param slow the share of messages that take up to {@code slowMillis}
     * @param doubled the share of requests that arrive a second time, up to {@code slowMillis} later
     * @param pushesLost the share of pushes that never arrive
     * @param pushesLate the share of pushes that arrive up to {@code slowMillis} late, overtaken by answers
     * @param raisesHeld the share of requests to raise a fence that are held up, with all that follows, for up to {@code slowMillis}
     */
    public record Network(
            double slow, int slowMillis, double doubled, double pushesLost, double pushesLate, double raisesHeld) {}

    /**
     * The differences between clocks.
     *
     * @param driftPpm how much too fast or too slow a clock may run, in millionths
     * @param nodeSkewMillis the largest difference of nodes' wall clocks
     * @param clientSkewMillis the largest difference of clients' wall clocks
     */
    public record Clocks(int driftPpm, int nodeSkewMillis, int clientSkewMillis) {}

    /** The stores of nodes. */
    public enum Store {
        /** A Redis server, which may lose its state. */
        REDIS,
        /** A Redis server whose age its clients know to the second, as they do in production: they compute different starts of its run. */
        REDIS_BY_THE_SECOND,
        /** A lock server with a folder, which persists its promises. It knows after a restart how long it must not vote; its clients need not. */
        PROMISES,
        /** The same with folders that are empty at first. Operators bootstrap the set. */
        PROMISES_OF_A_NEW_SET,
        /** A strict cluster: servers that agree by consensus, and are one node for their clients. */
        CLUSTER,
        /** PostgreSQL. A standby that each commit waits for is promoted. */
        DATABASE,
        /** PostgreSQL. A standby that lacks the latest commits is promoted. */
        DATABASE_WITH_LAGGING_STANDBY,
        /** PostgreSQL of three kinds: the two above, and one that loses commits in a crash ({@code synchronous_commit = off}). */
        DATABASES,
    }

    /** Returns whether nodes persist their promises. */
    boolean isPromising() {
        return store == Store.PROMISES || store == Store.PROMISES_OF_A_NEW_SET;
    }

    boolean promises(Promise promise) {
        return promises.contains(promise);
    }

    /** Returns how long seals last. If nodes keep their seals across a restart, the seals outlast the quarantine after it. */
    long sealMillis() {
        return isRolling() ? 6_000 : isPromising() ? 1_200 : 300;
    }

    /**
     * Returns how long nodes remember fences and values. A node whose clock is set by more than this time loses the fence. Nodes whose
     * clocks differ by more than the quarantine then give smaller tokens, which the protocol permits (PROTOCOL §6).
     */
    long fenceRetentionMillis() {
        boolean clocksAreSet = faults.contains(Fault.NODE_CLOCK_FORWARD) || faults.contains(Fault.ALL_CLOCKS_FORWARD);
        return (isRolling() ? 60L : clocksAreSet ? 10L : 2L) * load.longestTtlMillis();
    }

    /** Returns whether nodes restart one after the other, so that state used between two restarts must survive them all. */
    boolean isRolling() {
        return faults.contains(Fault.ROLLING_RESTART);
    }

    /** Returns whether clients watch the nodes' clocks, as they do in production. Here they do so only if there are steps to see. */
    boolean watchesClocks() {
        return faults.contains(Fault.CLIENT_FREEZES);
    }

    /**
     * Returns whether no two clients ever hold the lock at once, by true time. That is uncertain while a client does not know that its
     * clocks have stopped.
     */
    boolean isOneHolderCertain() {
        return promises(Promise.ONE_HOLDER) && !faults.contains(Fault.CLIENT_FREEZES);
    }

    /** Returns the same scenario with another number of nodes. */
    Scenario withNodes(String otherName, int otherNodes) {
        return new Scenario(
                otherName, otherNodes, load, network, clocks, faults, faultEveryMillis, faultyMillis, promises, store);
    }

    int majority() {
        return nodes / 2 + 1;
    }
}
