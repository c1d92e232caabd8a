/** The code that the Kotlin guide shows. */
@NullMarked
package dev.holdfast.examples.kotlin;

import org.jspecify.annotations.NullMarked;
