/** Data that the server reads again from files while it runs. */
@NullMarked
package dev.holdfast.server.reload;

import org.jspecify.annotations.NullMarked;
