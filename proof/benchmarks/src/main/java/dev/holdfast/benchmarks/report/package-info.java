/** The figures of a run, and the tables, targets and charts made from them. */
@NullMarked
package dev.holdfast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
