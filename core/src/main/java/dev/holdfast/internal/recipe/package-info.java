/** The recipes, made of locks: several locks at once, a semaphore, work that is done once. Users meet their interfaces in {@code dev.holdfast.recipe}. */
@NullMarked
package dev.holdfast.internal.recipe;

import org.jspecify.annotations.NullMarked;
