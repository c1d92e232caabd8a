/** The aspects that run methods under locks and leaderships: they read the annotations, reject methods that cannot work, and run the calls. */
@NullMarked
package dev.holdfast.spring.aspect;

import org.jspecify.annotations.NullMarked;
