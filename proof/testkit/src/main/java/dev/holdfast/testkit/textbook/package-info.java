/**
 * The textbook client: Redlock exactly as the Redis documentation writes it ("Distributed Locks with Redis"), to compare Holdfast with.
 *
 * <p>Not for use: it has no queue, no fencing tokens and no quarantine. It asks all nodes at the same time, which the documentation
 * recommends, and measures time on the monotonic clock, which is kinder to it than the wall clock of most clients. It meets its nodes and
 * time through {@link dev.holdfast.testkit.textbook.KeyNode} and {@link dev.holdfast.time.Timing} only, so it runs on a manual clock as well as on real servers.
 */
@NullMarked
package dev.holdfast.testkit.textbook;

import org.jspecify.annotations.NullMarked;
