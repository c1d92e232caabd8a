/** Tools to write the reports of measurements: tables, charts, and facts about the machine. */
@NullMarked
package dev.holdfast.report;

import org.jspecify.annotations.NullMarked;
