/**
 * Support for tests of code that uses locks. {@link dev.holdfast.junit.LockNodes} gives a test its nodes (in memory or real Redis servers), its
 * clients, and faults on demand. {@link dev.holdfast.junit.TestClock} advances time, and {@link dev.holdfast.junit.LockAssertions} verifies the state
 * of a lock.
 */
@NullMarked
package dev.holdfast.junit;

import org.jspecify.annotations.NullMarked;
