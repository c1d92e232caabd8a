/** Leader elections over a lock and its value. Their interfaces for users are in {@code dev.holdfast.election}. */
@NullMarked
package dev.holdfast.internal.election;

import org.jspecify.annotations.NullMarked;
