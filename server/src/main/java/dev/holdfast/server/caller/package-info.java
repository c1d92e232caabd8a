/**
 * Who makes a request, what it may do, and how much of it.
 */
@NullMarked
package dev.holdfast.server.caller;

import org.jspecify.annotations.NullMarked;
