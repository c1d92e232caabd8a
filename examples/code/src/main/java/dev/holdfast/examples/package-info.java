/** The code shown in README and docs, compiled and run by the build. */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;
