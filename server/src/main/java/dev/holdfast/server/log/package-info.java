/**
 * The access log, the audit log, and the files that they go to.
 */
@NullMarked
package dev.holdfast.server.log;

import org.jspecify.annotations.NullMarked;
