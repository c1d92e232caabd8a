/** What was measured, and what is made of it: tables, targets, pictures. */
@NullMarked
package dev.holdfast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
