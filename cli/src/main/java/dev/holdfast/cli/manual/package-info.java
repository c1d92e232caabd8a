/**
 * Texts that are generated from the commands and their options: shell completion and the manual page.
 */
@NullMarked
package dev.holdfast.cli.manual;

import org.jspecify.annotations.NullMarked;
