/**
 * A deterministic simulator: the production client ({@code quorum}, {@code lease}) and the production {@code LockTable} on a virtual
 * clock, with one thread and one seed. Its network and machines fail in every way that the protocol claims to survive.
 *
 * <p>A {@link dev.holdfast.simulator.Scenario} defines the possible events, a {@link dev.holdfast.simulator.Schedule} is one run of it from a
 * seed, and a {@link dev.holdfast.simulator.Campaign} is many runs. {@code docs/guides/testing.md} explains how to replay a seed and how to add a
 * fault.
 */
@NullMarked
package dev.holdfast.simulator;

import org.jspecify.annotations.NullMarked;
