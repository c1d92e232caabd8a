/** A stock that several instances of a Quarkus application share. */
@NullMarked
package dev.holdfast.quarkus.sample;

import org.jspecify.annotations.NullMarked;
