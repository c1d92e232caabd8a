/** Questions to every node whose answers people read. No lock depends on them. */
@NullMarked
package dev.holdfast.internal.survey;

import org.jspecify.annotations.NullMarked;
