/**
 * The textbook client: Redlock exactly as the Redis documentation describes it ("Distributed Locks with Redis"), for
 * comparison with Holdfast.
 *
 * <p>It is not for production: it has no queue, no fencing tokens and no quarantine. It asks all nodes at the same
 * time, as the documentation recommends. It measures time on the monotonic clock, which favours it over most clients,
 * which use the wall clock. It reaches its nodes and time through {@link dev.holdfast.testkit.textbook.KeyNode} and
 * {@link dev.holdfast.time.Timing} only, so it runs on a manual clock as well as on real servers.
 */
@NullMarked
package dev.holdfast.testkit.textbook;

import org.jspecify.annotations.NullMarked;
