/**
 * The settings from options, environment and config file, and the nodes that they name.
 */
@NullMarked
package dev.holdfast.cli.settings;

import org.jspecify.annotations.NullMarked;
