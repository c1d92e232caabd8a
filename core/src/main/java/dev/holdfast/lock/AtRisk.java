package dev.holdfast.lock;

import java.time.Duration;

/**
 * That a lease may soon be lost: less than half of its validity is left, and no extension has come through.
 *
 * @param lock the name of the lock
 * @param remaining how long it is still valid
 * @param detail why it was not extended: what the nodes said, that an extension is late, or that none is due
 */
public record AtRisk(String lock, Duration remaining, String detail) {}
