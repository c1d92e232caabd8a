package dev.holdfast.lock;

import java.time.Duration;

/**
 * A warning that a lease may soon be lost: less than half of its validity is left, and no extension has succeeded.
 *
 * @param lock the name of the lock
 * @param remaining how long it stays valid unless extended
 * @param detail why it was not extended, for people: what the nodes answered, that an extension is late, or that none is due
 */
public record AtRisk(String lock, Duration remaining, String detail) {}
