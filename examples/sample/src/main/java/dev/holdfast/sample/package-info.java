/**
 * A sample: an order service in three instances, its database, its lock nodes and some load, started by one command.
 */
@NullMarked
package dev.holdfast.sample;

import org.jspecify.annotations.NullMarked;
