/**
 * The command that runs under a lock: starting, signalling, guarding and stopping it.
 */
@NullMarked
package dev.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
