/** The command line of Holdfast. */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
