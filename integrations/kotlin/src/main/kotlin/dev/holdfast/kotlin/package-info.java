/**
 * Locks for coroutines: suspending functions over the asynchronous methods of {@code dev.holdfast.lock}, {@code dev.holdfast.recipe} and {@code
 * dev.holdfast.election}. A coroutine that is cancelled while it waits leaves nothing behind, and the loss of a lease cancels the work under it.
 */
@NullMarked
package dev.holdfast.kotlin;

import org.jspecify.annotations.NullMarked;
