package dev.holdfast.server;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.server.lease.LeaseLimits;
import dev.holdfast.server.message.Body;
import java.time.Duration;

/**
 * How much may be asked of a {@link LockServer}, by one client or by all. A client is whoever uses one token; without tokens, one address. What goes
 * beyond a limit is refused with the limit named, and nothing else is harmed. Immutable; {@link LimitSettings} reads them from a config file.
 *
 * @param longestWait how long an acquire may wait, 0 to 24 h; longer ones keep more requests open
 * @param leases how many leases a client may hold at a time, 1 to 1,000,000
 * @param waiters how many requests of a client may wait in line at a time, 1 to 1,000,000
 * @param requestsPerSecond how many requests a client may make, on average; twice as many at once. 1 to 1,000,000
 * @param queuePerLock how many requests of all clients may wait for one lock, 1 to 1,000,000; each that waits is asked for at every node
 * @param streams how many streams of events a client may read at a time, 1 to 1,000,000
 * @param sessions how many sessions a client may have at a time, 1 to 1,000,000
 * @param connections how many connections may be open in all, 1 to 1,000,000; where it is more, those are closed first that have been without a
 *     request longest. The system must allow the process as many open files, and some
 * @param connectionsPerAddress how many of them from one address (IPv6: one network of 64 bits), 1 to 1,000,000
 */
public record Limits(
        Duration longestWait,
        int leases,
        int waiters,
        int requestsPerSecond,
        int queuePerLock,
        int streams,
        int sessions,
        int connections,
        int connectionsPerAddress) {

    /** How many bytes the body of a request may have: the longest value and the longest name, escaped at the most, fit. */
    public static final int MOST_BODY_BYTES = Body.MOST_BODY_BYTES;

    private static final Duration LONGEST_LONGEST_WAIT = Duration.ofHours(24);
    static final int MOST = 1_000_000;

    public Limits {
        if (longestWait.isNegative() || longestWait.compareTo(LONGEST_LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException(
                    "longestWait is " + DurationText.of(longestWait) + ", but must be from 0 to 24 h");
        }
        require("leases", leases);
        require("waiters", waiters);
        require("requestsPerSecond", requestsPerSecond);
        require("queuePerLock", queuePerLock);
        require("streams", streams);
        require("sessions", sessions);
        require("connections", connections);
        require("connectionsPerAddress", connectionsPerAddress);
    }

    private static void require(String what, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(what + " is " + value + ", but must be from 1 to " + MOST);
        }
    }

    /**
     * A wait of 1 h; of each client 10,000 leases, 10,000 waiters, 5,000 requests a second, 32 streams, 10,000 sessions; 1,000 waiters of a lock; 10,000 connections,
     * 5,000 from one address.
     */
    public static Limits defaults() {
        return new Limits(Duration.ofHours(1), 10_000, 10_000, 5_000, 1_000, 32, 10_000, 10_000, 5_000);
    }

    LeaseLimits ofLeases() {
        return new LeaseLimits(longestWait, leases, waiters, queuePerLock);
    }

    /** The same with another {@code longestWait}. */
    public Limits withLongestWait(Duration wait) {
        return new Limits(
                wait,
                leases,
                waiters,
                requestsPerSecond,
                queuePerLock,
                streams,
                sessions,
                connections,
                connectionsPerAddress);
    }

    /** The same with other {@code leases} and {@code waiters} of each client. */
    public Limits withLeases(int held, int waiting) {
        return new Limits(
                longestWait,
                held,
                waiting,
                requestsPerSecond,
                queuePerLock,
                streams,
                sessions,
                connections,
                connectionsPerAddress);
    }

    /** The same with other {@code requestsPerSecond}. */
    public Limits withRequestsPerSecond(int requests) {
        return new Limits(
                longestWait,
                leases,
                waiters,
                requests,
                queuePerLock,
                streams,
                sessions,
                connections,
                connectionsPerAddress);
    }

    /** The same with another {@code queuePerLock}. */
    public Limits withQueuePerLock(int queue) {
        return new Limits(
                longestWait,
                leases,
                waiters,
                requestsPerSecond,
                queue,
                streams,
                sessions,
                connections,
                connectionsPerAddress);
    }

    /** The same with other {@code streams}. */
    public Limits withStreams(int readers) {
        return new Limits(
                longestWait,
                leases,
                waiters,
                requestsPerSecond,
                queuePerLock,
                readers,
                sessions,
                connections,
                connectionsPerAddress);
    }

    /** The same with other {@code sessions}. */
    public Limits withSessions(int open) {
        return new Limits(
                longestWait,
                leases,
                waiters,
                requestsPerSecond,
                queuePerLock,
                streams,
                open,
                connections,
                connectionsPerAddress);
    }

    /** The same with other {@code connections}, in all and {@code connectionsPerAddress}. */
    public Limits withConnections(int inAll, int perAddress) {
        return new Limits(
                longestWait, leases, waiters, requestsPerSecond, queuePerLock, streams, sessions, inAll, perAddress);
    }
}
