/** What is measured: each scenario puts the same question to several sides by turns. */
@NullMarked
package dev.holdfast.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
