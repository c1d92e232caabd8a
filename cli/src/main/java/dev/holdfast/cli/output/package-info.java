/**
 * What the command line prints, for people and for programs, and how it ends.
 */
@NullMarked
package dev.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
