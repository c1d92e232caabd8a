/** Mutants: Holdfast compiled again with one mistake in it, which a test must notice. For Holdfast's own tests. */
@NullMarked
package dev.holdfast.testkit.mutant;

import org.jspecify.annotations.NullMarked;
