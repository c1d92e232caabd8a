/** The sides: Holdfast, its peers and the lower bound, each behind the same few methods. */
@NullMarked
package dev.holdfast.benchmarks.side;

import org.jspecify.annotations.NullMarked;
