/** What a worker process does when it is told to: the loops that are measured. */
@NullMarked
package dev.holdfast.benchmarks.work;

import org.jspecify.annotations.NullMarked;
