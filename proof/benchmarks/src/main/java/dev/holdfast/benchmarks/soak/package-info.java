/** A long run that watches the size of tables. */
@NullMarked
package dev.holdfast.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
