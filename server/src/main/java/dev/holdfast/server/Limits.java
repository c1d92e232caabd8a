package dev.holdfast.server;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.server.lease.LeaseLimits;
import dev.holdfast.server.message.Body;
import java.time.Duration;

/**
 * The limits of a {@link LockServer}, for one client or for all. All users of one token are one client; without tokens, one address is one client. The server
 * rejects a request beyond a limit and names the limit; other requests are unaffected. Immutable; {@link LimitSettings} reads them from a config file.
 *
 * @param longestWait how long an acquire may wait, 0 to 24 h; longer waits keep more requests open
 * @param leases the maximum number of leases that a client holds at a time, including its waiting requests, 1 to 1,000,000
 * @param waiters the maximum number of a client's requests in queues at a time, 1 to 1,000,000
 * @param requestsPerSecond how many requests a client may make per second on average, 1 to 1,000,000; a burst may be twice as large
 * @param queuePerLock how many requests of all clients may wait for one lock, 1 to 1,000,000; every node queues each of them
 * @param streams how many streams of events a client may read at a time, 1 to 1,000,000
 * @param sessions how many sessions a client may have at a time, 1 to 1,000,000
 * @param connections how many connections may be open in total, 1 to 1,000,000; beyond that, the server closes the one whose client keeps it
 *     waiting longest. The system must allow the process more open files than that
 * @param connectionsPerAddress how many connections may be open from one address (for IPv6, from one /64 network), 1 to 1,000,000
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

    /** The maximum size of a request's body in bytes. The longest value and the longest name fit, even if every character is escaped. */
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
     * Returns the default limits: a wait of 1 h, 1,000 waiters for each lock, and 10,000 connections, of which 5,000 from one address. Each client may have
     * 10,000 leases, 10,000 waiters, 5,000 requests a second, 32 streams and 10,000 sessions.
     */
    public static Limits defaults() {
        return new Limits(Duration.ofHours(1), 10_000, 10_000, 5_000, 1_000, 32, 10_000, 10_000, 5_000);
    }

    LeaseLimits ofLeases() {
        return new LeaseLimits(longestWait, leases, waiters, queuePerLock);
    }

    /** Returns these limits with another {@code longestWait}. */
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

    /** Returns these limits with other {@code leases} and {@code waiters} for each client. */
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

    /** Returns these limits with other {@code requestsPerSecond}. */
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

    /** Returns these limits with another {@code queuePerLock}. */
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

    /** Returns these limits with other {@code streams}. */
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

    /** Returns these limits with other {@code sessions}. */
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

    /** Returns these limits with other {@code connections} and {@code connectionsPerAddress}. */
    public Limits withConnections(int inAll, int perAddress) {
        return new Limits(
                longestWait, leases, waiters, requestsPerSecond, queuePerLock, streams, sessions, inAll, perAddress);
    }
}
