/** A client process: workers that acquire locks, use the resource, and record what they do. */
@NullMarked
package dev.holdfast.torture.client;

import org.jspecify.annotations.NullMarked;
