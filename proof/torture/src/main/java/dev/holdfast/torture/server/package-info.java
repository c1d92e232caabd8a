/** Trials of the lock server as a process of its own. */
@NullMarked
package dev.holdfast.torture.server;

import org.jspecify.annotations.NullMarked;
