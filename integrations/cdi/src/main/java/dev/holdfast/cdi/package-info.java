/** The annotations for the beans of a CDI application, {@link dev.holdfast.cdi.Locked} and {@link dev.holdfast.cdi.LockedJob}, and the types that belong to them. */
@NullMarked
package dev.holdfast.cdi;

import org.jspecify.annotations.NullMarked;
