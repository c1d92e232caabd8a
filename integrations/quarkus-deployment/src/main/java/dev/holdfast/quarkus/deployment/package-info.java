/** The build steps of the Quarkus extension. */
@NullMarked
package dev.holdfast.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
