/** Owner ids: the tickets of attempts, and what tells the ids of this process from those of a copy of it. */
@NullMarked
package dev.holdfast.internal.owner;

import org.jspecify.annotations.NullMarked;
