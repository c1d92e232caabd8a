/** Real PostgreSQL servers that tests kill, stop, copy and promote. */
@NullMarked
package dev.holdfast.testkit.postgresql;

import org.jspecify.annotations.NullMarked;
