/** What runs that measure write their reports with: tables, pictures, and what they ran on. */
@NullMarked
package dev.holdfast.report;

import org.jspecify.annotations.NullMarked;
