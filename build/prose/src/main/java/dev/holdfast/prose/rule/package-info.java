/** Judges one sentence at a time. */
@NullMarked
package dev.holdfast.prose.rule;

import org.jspecify.annotations.NullMarked;
