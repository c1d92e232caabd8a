/** Owner ids: the tickets of attempts, and the distinction between the ids of this process and those of a copy of it. */
@NullMarked
package dev.holdfast.internal.owner;

import org.jspecify.annotations.NullMarked;
