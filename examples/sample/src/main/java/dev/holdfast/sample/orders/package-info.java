/** The order service: what to copy from. Read it from {@code Shipping} on. */
@NullMarked
package dev.holdfast.sample.orders;

import org.jspecify.annotations.NullMarked;
