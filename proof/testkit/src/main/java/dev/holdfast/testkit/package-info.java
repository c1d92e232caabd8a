/** The means to test a node: contract tests, a simulator, real Redis processes and fault tools. */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
