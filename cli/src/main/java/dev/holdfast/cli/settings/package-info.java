/**
 * Where options, environment and config file meet, and which nodes they name.
 */
@NullMarked
package dev.holdfast.cli.settings;

import org.jspecify.annotations.NullMarked;
