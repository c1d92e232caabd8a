/** Holdfast beside its peers, and beside the limit: the same servers, the same threads, by turns. */
@NullMarked
package dev.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
