/** The caller of a request, its permissions, and its limits. */
@NullMarked
package dev.holdfast.server.caller;

import org.jspecify.annotations.NullMarked;
