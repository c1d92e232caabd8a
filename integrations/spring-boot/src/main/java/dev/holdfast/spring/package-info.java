/**
 * The annotations for the beans of a Spring application, {@link dev.holdfast.spring.Locked} and {@link dev.holdfast.spring.LeaderOnly}, and the types
 * that belong to them.
 */
@NullMarked
package dev.holdfast.spring;

import org.jspecify.annotations.NullMarked;
