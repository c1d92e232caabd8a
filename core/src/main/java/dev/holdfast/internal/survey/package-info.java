/** Queries to every node, with answers for people to read. No lock depends on them. */
@NullMarked
package dev.holdfast.internal.survey;

import org.jspecify.annotations.NullMarked;
