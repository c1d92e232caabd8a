/**
 * Sessions: leases that the server extends for as long as their client is connected.
 */
@NullMarked
package dev.holdfast.server.session;

import org.jspecify.annotations.NullMarked;
