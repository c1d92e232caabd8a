/**
 * The parts of a run: servers, the network in front of them, client processes, and the resource that the locks protect.
 */
@NullMarked
package dev.holdfast.torture.world;

import org.jspecify.annotations.NullMarked;
