/** The work of a worker process: the measured loops. */
@NullMarked
package dev.holdfast.benchmarks.work;

import org.jspecify.annotations.NullMarked;
