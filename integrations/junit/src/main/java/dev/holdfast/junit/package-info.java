/**
 * Locks in tests: {@link dev.holdfast.junit.LockNodes} gives a test its nodes, in memory or real Redis servers, faults on demand and clients;
 * {@link dev.holdfast.junit.TestClock} lets time pass, and {@link dev.holdfast.junit.LockAssertions} says what a lock should be.
 */
@NullMarked
package dev.holdfast.junit;

import org.jspecify.annotations.NullMarked;
