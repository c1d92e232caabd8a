/**
 * Recipes that are made of locks: several locks at once ({@link dev.holdfast.recipe.MultiLock}), a semaphore
 * ({@link dev.holdfast.recipe.LockSemaphore}), and work that is done once ({@link dev.holdfast.recipe.OnceGuard}).
 * {@link dev.holdfast.Holdfast} makes them.
 */
@NullMarked
package dev.holdfast.recipe;

import org.jspecify.annotations.NullMarked;
