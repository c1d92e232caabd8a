/** A lock node on Redis or Valkey, over Lettuce. */
@NullMarked
package dev.holdfast.redis;

import org.jspecify.annotations.NullMarked;
