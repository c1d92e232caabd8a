/** Leader elections over a lock and its value. Users meet their interfaces in {@code dev.holdfast.election}. */
@NullMarked
package dev.holdfast.internal.election;

import org.jspecify.annotations.NullMarked;
