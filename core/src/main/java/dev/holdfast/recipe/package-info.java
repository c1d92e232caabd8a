/**
 * What people take locks for, made of locks: all of several at once ({@link dev.holdfast.recipe.MultiLock}), one of n places
 * ({@link dev.holdfast.recipe.LockSemaphore}), and locks as {@code java.util.concurrent} knows them
 * ({@link dev.holdfast.lock.ThreadLock}). Users get them from {@link dev.holdfast.Holdfast} and {@link dev.holdfast.lock.DistributedLock}.
 */
@NullMarked
package dev.holdfast.recipe;

import org.jspecify.annotations.NullMarked;
