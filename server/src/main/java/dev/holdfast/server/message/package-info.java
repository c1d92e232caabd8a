/** The contents of requests and answers: JSON, problems, and text that is safe to show. */
@NullMarked
package dev.holdfast.server.message;

import org.jspecify.annotations.NullMarked;
