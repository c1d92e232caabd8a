/** The access log, the audit log, and their files. */
@NullMarked
package dev.holdfast.server.log;

import org.jspecify.annotations.NullMarked;
