/**
 * The command that runs under a lock: how it is started, signalled, guarded and ended.
 */
@NullMarked
package dev.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
