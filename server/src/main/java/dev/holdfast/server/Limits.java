package dev.holdfast.server;

import java.time.Duration;

/**
 * How much one client may ask of a {@link LockServer}. A client is whoever uses one token; without tokens, one address. What goes beyond a limit
 * is refused with the limit named, and nothing else is harmed.
 *
 * @param longestWait how long an acquire may wait, 0 to 24 h; longer ones keep more requests open
 * @param leases how many leases a client may hold at a time, 1 to 1,000,000
 * @param waiters how many requests of a client may wait in line at a time, 1 to 1,000,000
 * @param requestsPerSecond how many requests a client may make, on average; twice as many at once. 1 to 1,000,000
 */
public record Limits(Duration longestWait, int leases, int waiters, int requestsPerSecond) {

    /** How many bytes the body of a request may have: the longest value and the longest name, escaped at the most, fit. */
    public static final int MOST_BODY_BYTES = 16_384;

    private static final Duration LONGEST_LONGEST_WAIT = Duration.ofHours(24);
    private static final int MOST = 1_000_000;

    public Limits {
        if (longestWait.isNegative() || longestWait.compareTo(LONGEST_LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("longestWait is " + longestWait + ", but must be from 0 to 24 h");
        }
        require("leases", leases);
        require("waiters", waiters);
        require("requestsPerSecond", requestsPerSecond);
    }

    private static void require(String what, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(what + " is " + value + ", but must be from 1 to " + MOST);
        }
    }

    /** A wait of 1 h, 10,000 leases, 10,000 waiters, 5,000 requests a second. */
    public static Limits defaults() {
        return new Limits(Duration.ofHours(1), 10_000, 10_000, 5_000);
    }
}
