/** The code that README and docs show. The build compiles and runs it. */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;
