/**
 * The environment of the order service: a database, lock nodes, the server that shows the locks, three instances, and
 * some load.
 */
@NullMarked
package dev.holdfast.sample.stage;

import org.jspecify.annotations.NullMarked;
