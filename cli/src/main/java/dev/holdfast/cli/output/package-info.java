/**
 * The output of the command line for people and for programs, and its exit codes.
 */
@NullMarked
package dev.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
