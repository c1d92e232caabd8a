/** What makes methods run under locks and leaderships: reading the annotations, refusing what can't work, and the calls themselves. */
@NullMarked
package dev.holdfast.spring.aspect;

import org.jspecify.annotations.NullMarked;
