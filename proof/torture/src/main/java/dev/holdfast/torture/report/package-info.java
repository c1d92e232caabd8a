/** The result of a run, as text. */
@NullMarked
package dev.holdfast.torture.report;

import org.jspecify.annotations.NullMarked;
