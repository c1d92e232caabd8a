/**
 * What requests and answers consist of: JSON, problems, and text that is safe to show.
 */
@NullMarked
package dev.holdfast.server.message;

import org.jspecify.annotations.NullMarked;
