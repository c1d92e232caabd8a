/**
 * WebSockets, above their frames.
 */
@NullMarked
package dev.holdfast.server.socket;

import org.jspecify.annotations.NullMarked;
