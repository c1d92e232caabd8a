/**
 * A comparison of Holdfast with its peers and with the limit. All sides use the same servers and the same number of
 * threads, in turns.
 */
@NullMarked
package dev.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
