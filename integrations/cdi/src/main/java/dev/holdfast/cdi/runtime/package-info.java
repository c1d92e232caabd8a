/** The client and the calls of locked methods, in every container. The types are public only for containers and for the Quarkus extension, and no part of the API. */
@NullMarked
package dev.holdfast.cdi.runtime;

import org.jspecify.annotations.NullMarked;
