/** The servers, and the processes that lock. */
@NullMarked
package dev.holdfast.benchmarks.world;

import org.jspecify.annotations.NullMarked;
