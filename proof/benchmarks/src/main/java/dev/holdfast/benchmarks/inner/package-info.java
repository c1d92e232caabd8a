/** The pieces without servers: JMH's benchmarks of them, and what comes of a run. */
@NullMarked
package dev.holdfast.benchmarks.inner;

import org.jspecify.annotations.NullMarked;
