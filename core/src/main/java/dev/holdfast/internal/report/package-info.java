/** The texts that people read about an attempt: the reports of its nodes, the states of a wait, and the warning that no majority answers. */
@NullMarked
package dev.holdfast.internal.report;

import org.jspecify.annotations.NullMarked;
