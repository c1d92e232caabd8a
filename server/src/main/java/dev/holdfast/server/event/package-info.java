/** The events of locks and nodes, in order. */
@NullMarked
package dev.holdfast.server.event;

import org.jspecify.annotations.NullMarked;
