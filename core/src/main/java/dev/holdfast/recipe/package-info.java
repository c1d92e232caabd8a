/**
 * What people take locks for, made of locks: all of several at once ({@link dev.holdfast.recipe.MultiLock}), one of n places
 * ({@link dev.holdfast.recipe.LockSemaphore}), and work that is done once ({@link dev.holdfast.recipe.OnceGuard}). Users get them from
 * {@link dev.holdfast.Holdfast}.
 */
@NullMarked
package dev.holdfast.recipe;

import org.jspecify.annotations.NullMarked;
