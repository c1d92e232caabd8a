/**
 * The recipes, which are made of locks: several locks at once, a semaphore, and work that is done once. Their interfaces for users are in
 * {@code dev.holdfast.recipe}.
 */
@NullMarked
package dev.holdfast.internal.recipe;

import org.jspecify.annotations.NullMarked;
