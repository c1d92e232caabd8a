/** The JMH benchmarks of the parts without servers, and their results. */
@NullMarked
package dev.holdfast.benchmarks.inner;

import org.jspecify.annotations.NullMarked;
