/** Finds the texts: one reader for each kind of file. */
@NullMarked
package dev.holdfast.prose.source;

import org.jspecify.annotations.NullMarked;
