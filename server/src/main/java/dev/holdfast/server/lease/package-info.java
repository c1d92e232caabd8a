/**
 * The leases that clients of the server hold and wait for.
 */
@NullMarked
package dev.holdfast.server.lease;

import org.jspecify.annotations.NullMarked;
