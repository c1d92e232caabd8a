/** The order service, which programs can copy from. Start reading at {@code Shipping}. */
@NullMarked
package dev.holdfast.sample.orders;

import org.jspecify.annotations.NullMarked;
