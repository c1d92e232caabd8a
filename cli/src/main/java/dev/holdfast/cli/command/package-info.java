/**
 * The commands of {@code holdfast}, a class for each.
 */
@NullMarked
package dev.holdfast.cli.command;

import org.jspecify.annotations.NullMarked;
