/** The annotations for the beans of a Quarkus application, {@link dev.holdfast.quarkus.Locked} and {@link dev.holdfast.quarkus.LockedJob}, and the types that belong to them. */
@NullMarked
package dev.holdfast.quarkus;

import org.jspecify.annotations.NullMarked;
