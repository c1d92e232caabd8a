/**
 * The commands of {@code holdfast}, one class each.
 */
@NullMarked
package dev.holdfast.cli.command;

import org.jspecify.annotations.NullMarked;
