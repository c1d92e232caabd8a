package dev.holdfast.server.lease;

import java.time.Duration;

/**
 * The limits of {@link Leases}.
 *
 * @param longestWait how long a request may wait
 * @param leases how many leases a client may have, including attempts to acquire one
 * @param waiters how many requests of a client may wait
 * @param queuePerLock how many requests may wait for one lock
 */
public record LeaseLimits(Duration longestWait, int leases, int waiters, int queuePerLock) {}
