/** Measures how long a cluster needs to grant a lock again after its leader was killed. */
@NullMarked
package dev.holdfast.torture.failover;

import org.jspecify.annotations.NullMarked;
