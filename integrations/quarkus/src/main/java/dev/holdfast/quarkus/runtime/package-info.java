/** The parts of the Quarkus extension that run in the application and only in Quarkus. They are public only for the code that Quarkus generates, and no part of the API. */
@NullMarked
package dev.holdfast.quarkus.runtime;

import org.jspecify.annotations.NullMarked;
