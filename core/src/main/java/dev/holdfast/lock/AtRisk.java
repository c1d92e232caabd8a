package dev.holdfast.lock;

import java.time.Duration;

/**
 * A warning that a lease may soon be lost: less than half of its validity is left, and no extension has succeeded.
 *
 * @param lock the name of the lock
 * @param remaining how long the lease stays valid unless the client extends it
 * @param detail why no extension has succeeded, for people: the answers of the nodes, a late extension, or no extension being due
 */
public record AtRisk(String lock, Duration remaining, String detail) {}
