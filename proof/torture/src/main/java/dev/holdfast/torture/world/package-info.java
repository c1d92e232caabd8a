/** What a run is made of: servers, the network before them, client processes, and the resource that the locks protect. */
@NullMarked
package dev.holdfast.torture.world;

import org.jspecify.annotations.NullMarked;
