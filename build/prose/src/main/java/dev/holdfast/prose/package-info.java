/**
 * A check of the project's English: it reads documentation, Javadoc, comments and messages, and reports sentences that break a rule of style or of
 * grammar. {@code make prose} runs it.
 */
@NullMarked
package dev.holdfast.prose;

import org.jspecify.annotations.NullMarked;
