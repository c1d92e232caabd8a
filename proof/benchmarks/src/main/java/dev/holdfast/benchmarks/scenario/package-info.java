/** The scenarios: each asks several sides the same question, in turns. */
@NullMarked
package dev.holdfast.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
